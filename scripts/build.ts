// `npm run build`: the program, the library with its types, the dashboard and the MCP App, into dist/.
// Without the tools' own reports: the first command of a newcomer shows the program, not its chunks.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { type Build, entry, program, servingFileIn } from '../rolldown.config.ts';
import { forgetBuiltSources, noteBuiltSources, sourcesDigest } from './built-sources.ts';
import { keepCompiled } from './keep-compiled.ts';
import { pruneDeclarations } from './prune-declarations.ts';

const failed = new AbortController();
try {
  await build();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function build(): Promise<void> {
  forgetBuiltSources();
  // Now: what is edited during the build is not in it.
  const digest = sourcesDigest();
  await bundleProgram(); // First: it empties dist/.
  await Promise.all([
    keepCompiled('dist'),
    // Comments are for readers of the types and of the sources: without them the package is about 80 kB smaller.
    run('tsc', '-p', 'tsconfig.build.json', '--removeComments', '--declaration', 'false'),
    run('tsc', '-p', 'tsconfig.build.json', '--emitDeclarationOnly'),
    run('vite', 'build', 'web', '--logLevel', 'warn'),
    run('vite', 'build', 'web/app', '--logLevel', 'warn'),
  ]);
  pruneDeclarations(join('dist', 'lib'), typesOfEntries());
  noteBuiltSources(digest);
}

function typesOfEntries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.values<{ readonly types?: string }>(exports).flatMap(({ types }) => (types ? [join(types)] : []));
}

async function bundleProgram(): Promise<void> {
  const servingFile = servingFileIn(await bundle(program));
  if (servingFile === undefined) throw new Error('Cannot build the program: there is no serving part');
  await bundle(entry(servingFile));
}

async function bundle({ output, ...input }: Build) {
  // How long plugins took is for who tunes the build.
  const bundled = await rolldown({ ...input, logLevel: 'warn', checks: { bundlerTimings: false } });
  const written = await bundled.write(output);
  await bundled.close();
  return written.output;
}

/** npm puts the programs of the packages on the path. */
function run(program: string, ...words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: 'inherit',
      shell: process.platform === 'win32',
      signal: failed.signal,
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) return resolve();
      reject(new Error(`Cannot build: ${program} ${words.join(' ')} ended with ${code}`));
      // The others would go on writing into dist/.
      failed.abort();
    });
  });
}
