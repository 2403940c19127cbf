// The operator's own file: what it may hold, and that every mistake in it is one sentence with a way out.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeFifo } from '../../tests/support/make-fifo.ts';
import { resolveRoots } from '../catalog/roots.ts';
import { NOTHING_GIVEN, resolveSettings } from './config.ts';
import { applyUserConfig, defineConfig, loadUserConfigFile } from './user-config.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-user-config-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ownWrite = process.stdout.write;
afterEach(() => {
  process.stdout.write = ownWrite;
});

let files = 0;
function write(text: string, name = `config-${files++}.ts`): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** The end of the sentence. */
async function complaintAbout(text: string, name?: string): Promise<string> {
  const path = write(text, name);
  const loaded = await loadUserConfigFile(path);
  if (loaded.ok) throw new Error('it was loaded');
  expect(loaded.failure).not.toMatch(/\n|\s+at .*:\d+:\d+/);
  expect(loaded.failure.startsWith(`Cannot load ${path}: `)).toBe(true);
  return loaded.failure.slice(`Cannot load ${path}: `.length);
}

describe('loadUserConfigFile', () => {
  test('executes TypeScript with types, top-level await and imports of its own (DESIGN 5)', async () => {
    write(
      'export enum Kind { Plain = "plain" }\nexport const names: readonly string[] = ["BillingAgent"];',
      'parts.ts',
    );
    const path = write(
      `import { names } from './parts.ts';
       interface Shape { readonly agents: readonly string[] }
       const config: Shape = { agents: await Promise.resolve(names) };
       export default config;`,
    );
    expect(await loadUserConfigFile(path)).toEqual({ ok: true, value: { agents: ['BillingAgent'] } });
  });

  test.each(['odd # 50% ü.mts', 'config.js', 'config.mjs'])('executes %s', async (name) => {
    write('{ "type": "module" }', 'package.json');
    const path = write('export default { agents: ["A"], limits: undefined };', name);
    expect(await loadUserConfigFile(path)).toEqual({ ok: true, value: { agents: ['A'], limits: undefined } });
  });

  test('leaves no copy of the code behind', async () => {
    await loadUserConfigFile(write('export default {};'));
    const cache = join(tmpdir(), 'jiti');
    const kept = existsSync(cache) ? readdirSync(cache) : [];
    expect(kept.filter((name) => name.includes(basename(folder)))).toEqual([]);
  });

  test('says what is wrong with the path', async () => {
    mkdirSync(join(folder, 'directory'));
    makeFifo(join(folder, 'pipe.ts'));
    const failureOf = async (name: string) => (await loadUserConfigFile(join(folder, name))) as { failure?: string };
    expect((await failureOf('absent.ts')).failure).toMatch(/absent\.ts: there is no such file\. Correct the path/);
    expect((await failureOf('directory')).failure).toMatch(/directory: it is a directory\. Name the file in it/);
    expect((await failureOf('pipe.ts')).failure).toMatch(/it is not a regular file\. Name a file\.$/);
    expect((await failureOf('parts.ts/x.ts')).failure).toMatch(/it cannot be reached \(ENOTDIR\)/);
    expect(await complaintAbout('{}', 'config.json')).toBe(
      'its name does not end in .ts, .mts, .js or .mjs. Rename it.',
    );
  });

  test('says in which line a syntax error is, also in a file that it imports', async () => {
    expect(await complaintAbout('export default {\n  agents: = 1,\n};')).toBe(
      'line 2 has a syntax error: Unexpected token. Correct that line.',
    );
    const broken = write('export const a = 1;\n\nlet let = 2;', 'broken.ts');
    expect(await complaintAbout("import { a } from './broken.ts';\nexport default { a };")).toBe(
      `line 3 of ${broken} has a syntax error: Unexpected reserved word 'let'. Correct that line.`,
    );
  });

  test.each([
    ['a package', 'not-installed-anywhere'],
    ['a file', './nowhere.ts'],
  ])('names %s that is not there', async (_what, name) => {
    expect(await complaintAbout(`import x from '${name}';\nexport default { x };`)).toBe(
      `it imports "${name}", which is not there. Install the package or correct the path.`,
    );
  });

  test.each([
    ['new Error("no\\nway")', 'it threw "Error: no" in line 3.'],
    ['new TypeError("postgres://me:hunter22@db/x")', 'it threw "TypeError: '],
    ['"a text"', 'it threw "a text".'],
    ['null', 'it threw "null".'],
    ['Object.create(null)', 'it threw "something that cannot be described".'],
    ['Object.defineProperty(new Error(), "message", { get() { throw 1; } })', 'it threw "something that cannot'],
    ['new Error("\\u001b[2Jgone")', 'it threw "Error: gone" in line 3.'],
  ])('says what was thrown: %s', async (thrown, said) => {
    const complaint = await complaintAbout(`interface Ignored { readonly a: 1 }\n\nthrow ${thrown};`);
    expect(complaint).toContain(said);
    expect(complaint).not.toContain('hunter22');
  });

  test('waits only so long', async () => {
    const path = write('await new Promise(() => {});\nexport default {};');
    expect(await loadUserConfigFile(path, { patienceMs: 200 })).toEqual({
      ok: false,
      failure: `Cannot load ${path}: it was not loaded after 0.2 s. Look for an await in it that does not end.`,
    });
  });

  test.each([
    ['export const config = {};', 'it has no default export. Write "export default defineConfig({ … })".'],
    ['', 'it has no default export.'],
    ['export default null;', 'its default export is null, not an object.'],
    ['export default () => ({});', 'its default export is a function, not an object.'],
    ['export default [];', 'its default export is a list, not an object.'],
    ['export default Promise.resolve({});', 'its default export is a promise, not an object.'],
    ['export default new Map();', 'its default export is an instance of a class, not an object.'],
    ['export default { skils: [] };', 'the field "skils" is unknown. Did you mean "skills"?'],
    ['export default { toString: 1 };', 'the field "toString" is unknown. Use skills, agents, roots, defaultRoots,'],
    ['export default { skills: {} };', 'the field "skills" is not a list. Write [skill, skill].'],
    ['export default { agents: "A" };', 'the field "agents" is not a list of texts. Write ["one", "two"].'],
    ['export default { roots: [1] };', 'the field "roots" is not a list of texts.'],
    ['export default { pin: [" "] };', 'the field "pin" is not a list of texts.'],
    ['export default { defaultRoots: 1 };', 'the field "defaultRoots" is not a truth value. Write true or false.'],
    ['export default { trustProxy: "::1" };', 'the field "trustProxy" is not a list of texts.'],
    ['export default { trustProxy: ["::/0"] };', 'the field "trustProxy" has an entry that means every address'],
    ['export default { limits: 60 };', 'the field "limits" is a number. Write { callerPerMinute: 60 }.'],
    ['export default { limits: { perMinute: 6 } };', 'the field "limits" has the unknown entry "perMinute".'],
    ['export default { limits: { callerPerMinute: 1.5 } };', 'has a callerPerMinute that is not a whole number'],
    ['export default { limits: { callerPerMinute: 0 } };', 'has a callerPerMinute that is not a whole number'],
    [
      'export default { ownership: [] };',
      'the field "ownership" is a list. Write { invoice: (userId, resourceId) => true }.',
    ],
    [
      'export default { ownership: { invoice: true } };',
      'the field "ownership" has an entry "invoice" that is no function.',
    ],
    [
      'export default { ownership: { task: () => true } };',
      'the field "ownership" has an entry "task", which is built in.',
    ],
    ['export default { ownership: { " ": () => true } };', 'the field "ownership" has an entry "", which is no name.'],
    ['export default { get roots() { throw new Error("no"); } };', 'it threw "Error: no" in line 1.'],
    [
      'export default { skills: [{ get name() { throw new Error("no"); } }] };',
      'it threw "Error: no" in line 1. Correct what it does when it is loaded.',
    ],
    ['export default new Proxy({}, { ownKeys() { throw new Error("no"); } });', 'it threw "Error: no" in line 1.'],
  ])('refuses %s', async (text, said) => {
    expect(await complaintAbout(text)).toContain(said);
  });
});

describe('applyUserConfig', () => {
  const environment = { home: '/home/me', workingDirectory: '/work/here', variables: {} };
  const settingsOf = (given: object) =>
    resolveSettings({ ...NOTHING_GIVEN, config: '/etc/own/repertoire.config.ts', ...given }, environment);
  const config = defineConfig({
    roots: ['skills', '~/more', '/abs'],
    without: ['a'],
    pin: ['b'],
    allowLinks: ['../shared'],
    trustProxy: ['10.0.0.0/8'],
  });

  test('adds what the file says, with paths relative to the file', () => {
    const settings = applyUserConfig(settingsOf({}), config);
    expect(settings.rootRequest.given).toEqual(['/etc/own/skills', '/home/me/more', '/abs']);
    expect(settings).toMatchObject({ without: ['a'], pinned: ['b'], allowLinks: ['/etc/shared'] });
    expect(settings.http).toEqual({ ...settingsOf({}).http, trustProxy: ['10.0.0.0/8'] });
  });

  test('lets every list of the command line replace the one in the file (C)', () => {
    const given = { roots: ['r'], without: ['x'], pinned: ['y'], allowLinks: ['/z'], trustProxy: ['::1'] };
    expect(applyUserConfig(settingsOf(given), config)).toEqual(settingsOf(given));
  });

  test.each([
    [{}, {}, true],
    [{}, { roots: ['a'] }, false],
    [{}, { roots: ['a'], defaultRoots: true }, true],
    [{ defaultRoots: true }, { roots: ['a'] }, true],
    [{ defaultRoots: true }, { roots: ['a'], defaultRoots: false }, true],
    [{ roots: ['r'] }, { defaultRoots: true }, false],
  ])('with the options %o and the file %o the default folders are looked at: %s (C, D1)', (given, fields, expected) => {
    const { rootRequest } = applyUserConfig(settingsOf(given), fields);
    expect(resolveRoots(rootRequest).some(({ label }) => label === './.agents/skills')).toBe(expected);
  });

  test('changes nothing when no file was named', () => {
    const settings = resolveSettings(NOTHING_GIVEN, environment);
    expect(applyUserConfig(settings, config)).toBe(settings);
  });
});
