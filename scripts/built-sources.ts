// From which sources dist/ was built: tests of the program build it again only when these have changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDERS = ['src', 'web', 'scripts'];
const FILES = ['package.json', 'package-lock.json', 'rolldown.config.ts', 'tsconfig.json', 'tsconfig.build.json'];
const BUILT = ['dist/cli.js', 'dist/lib/index.js', 'dist/web/index.html', 'dist/web/skills-app.html'];
/** Not in dist/, which is packed as it is. */
const NOTE = 'node_modules/.cache/repertoire/built-sources';

export function isBuilt(): boolean {
  return [...BUILT, NOTE].every((path) => existsSync(path)) && readFileSync(NOTE, 'utf8') === sourcesDigest();
}

/** Before a build: it may fail half-way. */
export function forgetBuiltSources(): void {
  ifWritable(() => rmSync(NOTE, { force: true }));
}

/** After a build of these sources. Throws when one of its parts is not there. */
export function noteBuiltSources(digest: string): void {
  const missing = BUILT.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`Cannot finish the build: ${missing.join(', ')} was not built`);
  ifWritable(() => {
    mkdirSync(dirname(NOTE), { recursive: true });
    writeFileSync(NOTE, digest);
  });
}

/** Where packages belong to another user, tests build once more; the build itself does not fail for that. */
function ifWritable(write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
  }
}

export function sourcesDigest(): string {
  const hash = createHash('sha256');
  for (const path of [...FOLDERS.flatMap(filesIn), ...FILES]) hash.update(`${path}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

/** Without tests: they are not built. */
function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => !path.endsWith('.test.ts')).sort();
}
