// A package of somebody's own that uses the built library: snippets are compiled in it together and run one after the other.
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PATIENCE_MS } from './patience.ts';

export interface SnippetPackage {
  readonly path: string;
  /** What the compiler says; empty when it is content. */
  compile(files: ReadonlyMap<string, string>): Promise<string>;
  /** By file: what it printed, or the error that ended it. */
  run(): Promise<Readonly<Record<string, Printed>>>;
  remove(): void;
}

export interface Printed {
  readonly lines: readonly string[];
  readonly error?: string;
}

const compilerOptions = {
  target: 'ES2023',
  module: 'NodeNext',
  strict: true,
  allowJs: true,
  checkJs: true,
  // As strict as a reader's project can be, declarations of the package included.
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  types: ['node'],
  rootDir: 'source',
  outDir: 'build',
};

/** In one process: each start would cost more than the snippet. */
const runner = `
import { readdirSync, writeFileSync } from 'node:fs';
import { format } from 'node:util';
const printed = {};
for (const file of readdirSync('build').filter((name) => name.endsWith('.js'))) {
  const lines = [];
  console.log = (...words) => lines.push(format(...words));
  try {
    await import(new URL('build/' + file, import.meta.url));
    printed[file] = { lines };
  } catch (error) {
    printed[file] = { lines, error: String(error?.stack ?? error) };
  }
}
writeFileSync('printed.json', JSON.stringify(printed));
process.exit(0); // some of them go on watching
`;

export function createSnippetPackage(): SnippetPackage {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-snippets-')));
  const at = (name: string) => join(path, name);
  for (const name of ['source', 'build', 'home', 'node_modules']) mkdirSync(at(name));
  symlinkSync(resolve('.'), at('node_modules/repertoire'));
  for (const name of ['zod', 'hono', '@hono', '@modelcontextprotocol', '@types'])
    symlinkSync(resolve('node_modules', name), at(`node_modules/${name}`));
  cpSync('examples/skills', at('skills'), { recursive: true });
  cpSync('examples/typed-skill/match-payment-worker.mjs', at('build/match-payment-worker.mjs'));
  writeFileSync(at('package.json'), '{ "type": "module" }\n');
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['source'] }));
  writeFileSync(at('runner.mjs'), runner);
  const node = (...words: readonly string[]) => runNode(words, path);
  return {
    path,
    compile(files) {
      for (const [name, text] of files) writeFileSync(join(path, 'source', name), text);
      return node(resolve('node_modules/typescript/bin/tsc'), '--project', path);
    },
    async run() {
      const said = await node(at('runner.mjs'));
      if (said !== '') throw new Error(`The snippets ended the process: ${said}`);
      return JSON.parse(readFileSync(at('printed.json'), 'utf8'));
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function runNode(words: readonly string[], cwd: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: join(cwd, 'home') };
  return new Promise((done) => {
    execFile(process.execPath, [...words], { cwd, env, timeout: PATIENCE_MS }, (error, stdout, stderr) =>
      done(error === null ? '' : stdout + stderr || error.message),
    );
  });
}
