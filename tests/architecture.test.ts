// Holds the arrows of the design: which part may import which, and which files may touch the disk or end the process.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, withoutComments } from './support/imports.ts';

// A part is a folder of src/ (of surfaces/: each surface) or a file in it. "types": only `import type`.
type Permission = 'values' | 'types';

const permit = (permission: Permission, parts: readonly string[]) =>
  Object.fromEntries(parts.map((part) => [part, permission]));
const values = (...parts: readonly string[]) => permit('values', parts);
const types = (...parts: readonly string[]) => permit('types', parts);

/** All that lies below the surfaces, without the store. */
const below = [
  'operations',
  'repertoire',
  'settings',
  'builtin',
  'skills',
  'identity',
  'search',
  'upkeep',
  'sources',
  'library',
  'catalog',
  'hosts',
  'document',
];

/** What `app` puts together, beside the command line. */
const surfaces = ['surfaces/answers', 'surfaces/mcp', 'surfaces/http', 'surfaces/openai'];

/** Every part may import these; they import only each other. */
const leaves: ReadonlySet<string> = new Set(['values', 'text', 'async', 'files', 'limits']);

/** What surfaces translate: they ask the facade, and know the shapes and the pure values that it answers with. */
const asked = {
  ...values('operations', 'repertoire', 'document', 'settings', 'skills', 'identity', 'surfaces/answers'),
  ...types('catalog', 'library'),
};

/** What each part may import besides itself and the leaves. */
const arrows: Readonly<Record<string, Readonly<Record<string, Permission>>>> = {
  values: {},
  text: {},
  async: {},
  files: {},
  limits: {},
  document: {},
  identity: {},
  search: {},
  upkeep: {},
  hosts: {},
  // Knows nothing of what it tells about: those who do the work get the types of values/trace.ts.
  telemetry: {},
  // The authorization server: requests in, answers out. What it keeps is behind the port of identity/.
  oauth: values('identity', 'skills'),
  catalog: values('document', 'hosts'),
  sources: { ...values('document'), ...types('catalog') },
  library: { ...values('document', 'sources'), ...types('catalog') },
  skills: values('identity'),
  builtin: values('skills', 'search', 'identity'),
  store: { ...values('skills', 'builtin', 'identity', 'library'), ...types('repertoire', 'settings') },
  repertoire: values('catalog', 'search', 'skills', 'identity', 'document'),
  settings: { ...values('skills'), ...types('catalog') },
  operations: { ...values('repertoire', 'document', 'skills', 'identity', 'upkeep', 'library'), ...types('catalog') },
  'surfaces/answers': asked,
  'surfaces/streams': {},
  'surfaces/mcp': { ...asked, ...values('surfaces/streams'), ...types('surfaces/http') },
  'surfaces/http': { ...asked, ...values('surfaces/streams'), ...types('surfaces/openai') },
  'surfaces/openai': asked,
  app: values(...below, ...surfaces, 'store', 'telemetry', 'oauth'),
  'open-catalog.ts': values('catalog', 'hosts', 'settings', 'sources'),
  'app.ts': values(...below, ...surfaces, 'app', 'open-catalog.ts'),
  'surfaces/cli': values(...below, ...surfaces, 'app', 'app.ts', 'open-catalog.ts'),
  'server.ts': {
    ...values('settings', 'surfaces/answers', 'surfaces/http', 'app', 'app.ts'),
    ...types('repertoire', 'skills'),
  },
  'store.ts': values('app'),
  'builtin.ts': {
    ...values('app', 'catalog', 'identity', 'repertoire', 'settings'),
    ...types('builtin', 'skills'),
  },
  'skills.ts': values('skills', 'identity'),
  'index.ts': values('catalog', 'document', 'repertoire', 'settings', 'skills', 'open-catalog.ts'),
};

/** The only files that may touch the disk, with their reason. */
const diskFiles: Readonly<Record<string, string>> = {
  'catalog/scan/safe-read.ts': 'the one safe read for every byte',
  'catalog/remember/note-files.ts': 'the notes for the next start, in the data directory',
  'catalog/remember/take-note.ts': 'asks folders for their times, and the disk for its kind; opens nothing',
  'catalog/watch/watchers.ts': 'fs.watch',
  'catalog/roots.ts': 'finds the top of the repository',
  'files/build-of.ts': 'looks when the running code was built',
  'files/private-file.ts': 'reads and writes what is kept for the next start',
  'files/make-directory.ts': 'makes directories, with those above them',
  'files/one-at-a-time.ts': 'the note of which process changes a file now',
  'files/whole-file.ts': 'puts a private file in its place whole',
  'hosts/connect/config-file.ts': "reads and writes a host's configuration file",
  'settings/user-config.ts': 'the file that the operator named',
  'settings/explain-config-error.ts': 'the same file, for the line of a syntax error',
  'sources/compare-skills.ts': 'the files of a source as they were, for the difference that is shown',
  'sources/content.ts': 'what is kept of sources, in the data directory',
  'sources/fetched-entries.ts': 'which entries of locks were compared with their sources, in the data directory',
  'sources/git/repository.ts': 'looks at a directory that is to be a source, and at what git fetched',
  'sources/git/own-memory.ts': 'reads /proc: how much memory git holds',
  'sources/hash-file.ts': 'reads what is kept of sources, to compare it with its digest',
  'sources/lock-file.ts': 'the lock of the project, and the global one',
  'sources/lock-stamp.ts': 'asks whether a lock has changed; opens nothing',
  'sources/skill-name.ts': 'reads the SKILL.md of a skill that was just fetched, for its name',
  'skills/process/resident-memory.ts': 'reads /proc: how much memory a process of a skill holds',
  'skills/process/skill-process.ts': 'writes its last words to its own channel, and /proc: it is the first to die',
  'store/data-directory.ts': 'makes the data directory and the file',
  'store/sqlite-files.ts': 'looks whether the open files of the embedded database are still at their path',
  'store/left-journals.ts': 'loads that other processes left in the data directory',
  'store/journal-file.ts': 'loads on their way to the log, in the data directory',
  'store/secret-file.ts': "the operator's token and the key of the trail, in the data directory",
  'store/operator-token-watch.ts': 'the same token, while a server runs',
  'store/process-owner.ts': 'reads /proc: whether a process still runs',
  'surfaces/cli/new.ts': 'entry: writes the skill that was asked for, never over something',
  'surfaces/cli/read-input.ts': 'entry: the file that `--input @FILE` names',
  'surfaces/cli/library-folder.ts':
    'entry: the folders that are published, and those that are exported, never over something',
  'surfaces/cli/open-store.ts': 'entry: whether there is a log yet',
  'surfaces/cli/source-context.ts': 'entry: where a directory that is to be a source really is',
  'surfaces/cli/run-process.ts': 'entry: the real path of the program, for the lines that start it',
  'surfaces/cli/compiled-part.ts': 'entry: the part of the program that it runs, and what V8 compiled of it before',
  'surfaces/cli/doctor.ts': 'entry: reads the limits of the system',
  'surfaces/cli/open-catalog-once.ts': 'entry: what `check PATH` points at',
  'surfaces/cli/event-log.ts': 'writes standard error without losing lines',
  'surfaces/answers/web-folder.ts': 'the pages that were built beside the program',
  'surfaces/mcp/wire/stdio.ts': 'asks what kind of thing the descriptors 0 and 1 are; opens no path',
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

test.each(['src', 'web'])('no two folders of %s import each other', (root) => {
  expect(twoWayFolders(readSources(root))).toEqual([]);
});

test('only the listed files import node:fs', () => {
  const touching = sources.filter(({ text }) => importsOf(text).some(({ from }) => /^(node:)?fs(\/|$)/.test(from)));
  expect(touching.map(({ path }) => path).filter((path) => !(path in diskFiles))).toEqual([]);
});

test('the HTTP server knows nothing of MCP: it is given the endpoint', () => {
  const http = sources.filter(({ path }) => path.startsWith('surfaces/http/'));
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
  [
    'only the entries of the program end the process, and the process of a skill itself',
    /\bprocess\s*\.\s*(?:exit|abort|reallyExit)\b/,
    [
      ...['surfaces/cli/start.ts', 'surfaces/cli/main.ts', 'surfaces/cli/run-process.ts'],
      'skills/process/skill-process.ts',
    ],
  ],
  ['only the command line prints with console', /\bconsole\s*\./, ['surfaces/cli/']],
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
    ['surfaces/mcp/a.ts', "import { type A, b } from '../../catalog/b.ts';"],
    ['surfaces/mcp/a.ts', "export { b } from '../../catalog/b.ts';"],
    ['surfaces/cli/a.ts', "const x = await import('../store/sqlite.ts');"],
    ['app.ts', "import './surfaces/cli/main.ts';"],
    ['app.ts', "const store = await import('../store/sqlite.ts');"],
    ['unknown/a.ts', "import { x } from '../values/result.ts';"],
  ])('notices in %s: %s', (path, text) => {
    expect(forbidden(path, text)).toHaveLength(1);
  });

  test.each([
    ['document/a.ts', "import { x } from '../values/result.ts';\nimport {\n  y,\n} from './deep/b.ts';"],
    ['surfaces/mcp/a.ts', "import { type A, type B } from '../../catalog/b.ts';"],
    ['surfaces/mcp/a.ts', "// import { b } from '../../catalog/b.ts';\nconst u = 'skill://x';"],
    ['app/a.ts', "const store = await import('../store/sqlite.ts');"],
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
  if (target === '../package.json') return partOf(path) === 'surfaces/cli';
  const [here, there] = [partOf(path), partOf(target)];
  const permitted = arrows[here];
  if (permitted === undefined) return false;
  if (there === here || leaves.has(there)) return true;
  return permitted[there] === 'values' || (permitted[there] === 'types' && typeOnly);
}

function partOf(path: string): string {
  const [first = path, second] = path.split('/');
  return first === 'surfaces' ? `${first}/${second}` : first;
}

/** "a <-> b" for every two folders that import each other, with the imports of the smaller side. */
function twoWayFolders(all: readonly Source[]): readonly string[] {
  const arrowsBetween = new Map<string, string[]>();
  for (const { path, text } of all) {
    for (const { from } of importsOf(text).filter((each) => each.from.startsWith('.'))) {
      const target = posix.normalize(posix.join(posix.dirname(path), from));
      const key = `${posix.dirname(path)} ${posix.dirname(target)}`;
      arrowsBetween.set(key, [...(arrowsBetween.get(key) ?? []), `${path} imports ${from}`]);
    }
  }
  return [...arrowsBetween].flatMap(([key, there]) => {
    const [here = '', other = ''] = key.split(' ');
    const back = arrowsBetween.get(`${other} ${here}`);
    if (here >= other || back === undefined) return [];
    return [`${here} <-> ${other}: ${(back.length < there.length ? back : there).join('; ')}`];
  });
}

function readSources(root = 'src'): readonly Source[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts') && !name.includes('/fixtures/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
