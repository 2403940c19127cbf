// Which modules the installed program really loaded: ES modules seen by a hook, CommonJS modules from Node's own cache.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installed } from './packed-program.ts';

export interface LoadTrace {
  /** Options of Node that turn it on. */
  readonly nodeOptions: readonly string[];
  /** What the process has loaded, once it has ended. */
  read(): Loads;
}

export interface Loads {
  /** Names of packages, without our own. */
  readonly packages: readonly string[];
  /** Our own files in dist/, without the hash in their names. */
  readonly chunks: readonly string[];
}

const hook = `
import { appendFileSync } from 'node:fs';
let file;
export const initialize = (data) => { file = data; };
export async function load(url, context, next) {
  appendFileSync(file, url + '\\n');
  return next(url, context);
}`;

const preload = (file: string) => `
import { appendFileSync } from 'node:fs';
import module from 'node:module';
const file = ${JSON.stringify(file)};
module.register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}), { data: file });
process.on('exit', () => appendFileSync(file, Object.keys(module._cache).join('\\n') + '\\n'));`;

export function createLoadTrace({ folder }: Installed): LoadTrace {
  const [script, list] = [join(folder, 'trace.mjs'), join(folder, 'trace.txt')];
  writeFileSync(script, preload(list));
  rmSync(list, { force: true });
  return {
    nodeOptions: ['--import', script],
    read: () => {
      if (!existsSync(list)) throw new Error('Cannot tell what was loaded: the hook saw nothing');
      return toLoads(readFileSync(list, 'utf8').split('\n'));
    },
  };
}

function toLoads(paths: readonly string[]): Loads {
  const found = paths.flatMap((path) => {
    const [, name, file] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)/.exec(path) ?? [];
    return name === undefined || file === undefined ? [] : [{ name, file }];
  });
  const others = found.filter(({ name }) => name !== 'repertoire').map(({ name }) => name);
  const ours = found.filter(({ name }) => name === 'repertoire').map(({ file }) => file);
  return { packages: unique(others), chunks: unique(ours.map((file) => file.replace(/-[\w-]{8}\.js$/, '.js'))) };
}

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)].sort();
