// Holds the arrows of the design: who may import whom, who may touch the disk, who may end the process.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, withoutComments } from './support/imports.ts';

// A part is a folder of src/ or a file in it. "types": only `import type`.
type Permission = 'values' | 'types';

const permit = (permission: Permission, parts: readonly string[]) =>
  Object.fromEntries(parts.map((part) => [part, permission]));
const values = (...parts: readonly string[]) => permit('values', parts);
const types = (...parts: readonly string[]) => permit('types', parts);

/** All that lies below the surfaces, without the store. */
const below = ['repertoire.ts', 'config.ts', 'builtin', 'execution', 'identity', 'search', 'catalog', 'document'];

/** Everybody may import these; they import nothing. */
const leaves: ReadonlySet<string> = new Set([
  'result.ts',
  'monotonic-clock.ts',
  'sleep.ts',
  'folder-variable.ts',
  'uuid.ts',
  'time-slice.ts',
]);

/** What each part may import besides itself and the leaves. */
const arrows: Readonly<Record<string, Readonly<Record<string, Permission>>>> = {
  'result.ts': {},
  'monotonic-clock.ts': {},
  'sleep.ts': {},
  'folder-variable.ts': {},
  'uuid.ts': {},
  'time-slice.ts': {},
  'load-log.ts': {},
  'load-recorder.ts': { ...values('document'), ...types('load-log.ts') },
  document: {},
  identity: {},
  search: {},
  connect: types('config.ts'),
  catalog: values('document'),
  execution: values('identity'),
  builtin: values('execution'),
  store: { ...values('execution', 'builtin', 'identity'), ...types('load-log.ts') },
  // Brings the catalog's skills into the index; `repertoire.ts` owns it.
  'skill-search.ts': values('catalog', 'search', 'document'),
  'repertoire.ts': {
    ...values('skill-search.ts', 'catalog', 'search', 'execution', 'document'),
    ...types('load-log.ts'),
  },
  'user-config.ts': values('execution', 'document', 'config.ts'),
  'config.ts': { ...values('repertoire.ts'), ...types('catalog') },
  // Surfaces translate: they ask the facade, and know the shapes and the pure values that it answers with.
  serve: {
    ...values('repertoire.ts', 'document', 'config.ts', 'execution', 'identity'),
    ...types('catalog', 'load-log.ts'),
  },
  'start.ts': values(...below, 'store', 'user-config.ts'),
  cli: {
    ...values(...below, 'start.ts', 'serve', 'connect', 'load-recorder.ts'),
    ...types('load-log.ts', 'store', 'user-config.ts'),
  },
  'open-catalog.ts': values('catalog', 'config.ts'),
  'skills.ts': values('execution', 'identity'),
  'index.ts': values(...below, 'open-catalog.ts', 'start.ts', 'serve', 'user-config.ts'),
};

/** The only files that may touch the disk, with their reason. */
const diskFiles: Readonly<Record<string, string>> = {
  'catalog/safe-read.ts': 'the one safe read for every byte',
  'catalog/watchers.ts': 'fs.watch',
  'catalog/roots.ts': 'finds the top of the repository',
  'connect/config-file.ts': "reads and writes a host's configuration file",
  'user-config.ts': 'the file that the operator named',
  'store/sqlite-file.ts': 'makes the data directory and the file',
  'store/operator-token-file.ts': "the operator's token",
  'store/process-owner.ts': 'reads /proc: whether a process still runs',
  'cli/read-input.ts': 'entry: the file that `--input @FILE` names',
  'cli/read-store.ts': 'entry: whether there is a log yet',
  'cli/main.ts': 'entry: resolves the real home and working directory',
  'cli/doctor.ts': 'entry: reads the limits of the system',
  'cli/status.ts': 'entry: looks which hosts are on this machine',
  'cli/open-path.ts': 'entry: what `check PATH` points at',
  'cli/event-log.ts': 'writes standard error without losing lines',
  'serve/web-folder.ts': 'the pages that were built beside the program',
  'serve/mcp/wire/open-stdio.ts': 'asks what kind of thing the descriptors 0 and 1 are; opens no path',
};

interface Source {
  /** Below src/, with "/". */
  readonly path: string;
  readonly text: string;
}

const sources = readSources();

test('src/ is found', () => {
  expect(sources.length).toBeGreaterThan(50);
});

test('every import goes along an arrow of the design', () => {
  expect(sources.flatMap(forbiddenImports)).toEqual([]);
});

test('only the listed files import node:fs', () => {
  const touching = sources.filter(({ text }) => importsOf(text).some(({ from }) => /^(node:)?fs(\/|$)/.test(from)));
  expect(touching.map(({ path }) => path).filter((path) => !(path in diskFiles))).toEqual([]);
});

test('the HTTP server knows nothing of MCP: whoever starts it hands the endpoint in', () => {
  const http = sources.filter(({ path }) => path.startsWith('serve/http/'));
  const knowing = http.filter(({ text }) => importsOf(text).some(({ from }) => from.includes('/mcp/')));
  expect(knowing.map(({ path }) => path)).toEqual([]);
});

test('document/ is pure: of Node it takes only what computes', () => {
  const pure = new Set(['node:buffer', 'node:crypto']);
  const impure = sources
    .filter(({ path }) => path.startsWith('document/'))
    .flatMap(({ path, text }) => importsOf(text).map(({ from }) => [path, from] as const))
    .filter(([, from]) => from.startsWith('node:') && !pure.has(from));
  expect(impure).toEqual([]);
});

test.each([
  ['nothing is exported with a star', /^\s*export\s*\*/m, []],
  ['only cli/main.ts ends the process', /\bprocess\s*\.\s*(?:exit|abort|reallyExit)\b/, ['cli/main.ts']],
  ['nobody but the command line prints with console', /\bconsole\s*\./, ['cli/']],
  ['no gray-matter, no eval, no Function from text', /gray-matter|\beval\s*\(|\bnew Function\b/, []],
])('%s', (_rule, shape, excepted: readonly string[]) => {
  const breaking = sources.filter(({ path, text }) => {
    return shape.test(withoutComments(text)) && !excepted.some((prefix) => path.startsWith(prefix));
  });
  expect(breaking.map(({ path }) => path)).toEqual([]);
});

describe('the check itself', () => {
  const forbidden = (path: string, text: string) => forbiddenImports({ path, text });

  test.each([
    ['document/a.ts', "import { x } from '../catalog/b.ts';"],
    ['document/deep/a.ts', "import type { X } from '../../catalog/b.ts';"],
    ['catalog/a.ts', "import { x } from '../search/b.ts';"],
    ['serve/mcp/a.ts', "import { type A, b } from '../../catalog/b.ts';"],
    ['serve/mcp/a.ts', "export { b } from '../../catalog/b.ts';"],
    ['cli/a.ts', "const x = await import('../store/sqlite.ts');"],
    ['start.ts', "import './cli/main.ts';"],
    ['unknown/a.ts', "import { x } from '../result.ts';"],
  ])('notices in %s: %s', (path, text) => {
    expect(forbidden(path, text)).toHaveLength(1);
  });

  test.each([
    ['document/a.ts', "import { x } from '../result.ts';\nimport {\n  y,\n} from './deep/b.ts';"],
    ['serve/mcp/a.ts', "import { type A, type B } from '../../catalog/b.ts';"],
    ['serve/mcp/a.ts', "// import { b } from '../../catalog/b.ts';\nconst u = 'skill://x';"],
    ['start.ts', "const store = await import('./store/sqlite.ts');"],
  ])('permits in %s: %s', (path, text) => {
    expect(forbidden(path, text)).toEqual([]);
  });
});

function forbiddenImports({ path, text }: Source): readonly string[] {
  return importsOf(text)
    .filter(({ from }) => from.startsWith('.'))
    .filter((each) => !isPermitted(path, each))
    .map(({ from, typeOnly }) => `${path} imports ${typeOnly ? 'types' : 'values'} from ${from}`);
}

function isPermitted(path: string, { from, typeOnly }: Import): boolean {
  const target = posix.normalize(posix.join(posix.dirname(path), from));
  // The program's version is read from package.json, which lies outside src/.
  if (target === '../package.json') return partOf(path) === 'cli';
  const [here, there] = [partOf(path), partOf(target)];
  const permitted = arrows[here];
  if (permitted === undefined) return false;
  if (there === here || leaves.has(there)) return true;
  return permitted[there] === 'values' || (permitted[there] === 'types' && typeOnly);
}

function partOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function readSources(): readonly Source[] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('/fixtures/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));
}
