// The store as a program opens it: a log that outlives the program, and sentences when it cannot be opened.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSkill } from '../tests/support/write-skill.ts';
import { createRepertoire, openCatalog } from './index.ts';
import { testSkill } from './skills/fixtures/test-skill.ts';
import { createRuntime, failure } from './skills.ts';
import { openStore as openParts } from './store/store.ts';
import { openStore, type StoreOptions } from './store.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const data = () => join(folder, 'data');

async function runOnce(text: string) {
  const store = await openStore({ data: data() });
  const runtime = createRuntime({ skills: [testSkill()], invocationLog: store.invocations });
  const answer = await runtime.invoke({ name: 'echo', input: { text } });
  const { invocations } = await store.invocations.list({ limit: 10 });
  await runtime.close();
  await store.close();
  await store.close();
  return { answer, inputs: invocations.map(({ invocation }) => invocation.inputPayload) };
}

test('openStore() keeps what runs in a file that the next program reads (C, X7, M3)', async () => {
  await runOnce('first');
  const { answer, inputs } = await runOnce('second');
  expect(answer).toMatchObject({ success: true, outputPayload: { text: 'second' } });
  expect(inputs).toEqual([{ text: 'second' }, { text: 'first' }]);
});

test('no byte of the file holds what stands under a name of a secret, marked or not, however deep (X1, M12)', async () => {
  const open = { type: 'object', additionalProperties: true };
  const hidden = ['hunter2-of-the-input', 'k-of-the-output-9f2c', 't-of-the-details-77aa', 'c-of-a-list-41bd'];
  const run = ({ fails }: { fails?: boolean }) =>
    fails
      ? failure('NOT_FOUND', { resource: 'it', a: { b: [{ access_token: hidden[2], name: 'shown' }] } })
      : { made: { deep: { apiKey: hidden[1], list: [{ credentials: { anything: hidden[3] } }] } } };
  const skill = testSkill({ input: open, output: open, failureModes: ['NOT_FOUND'], run });
  const store = await openStore({ data: data() });
  const runtime = createRuntime({ skills: [skill], invocationLog: store.invocations });
  const input = { settings: { nested: [{ dbPassword: hidden[0] }] } };
  expect(await runtime.invoke({ name: 'echo', input })).toMatchObject({ success: true });
  expect(await runtime.invoke({ name: 'echo', input: { ...input, fails: true } })).toMatchObject({ success: false });
  const kept = JSON.stringify((await store.invocations.list({ limit: 5 })).invocations);
  await runtime.close();
  await store.close();
  expect(kept).toContain('"name":"shown"');
  const bytes = readdirSync(data()).map((name) => readFileSync(join(data(), name), 'latin1'));
  expect(hidden.filter((text) => bytes.some((file) => file.includes(text)))).toEqual([]);
});

test('its noteLoad records documents that are read, its noteFile other files; close() writes what waits (C, D9, U7)', async () => {
  writeSkill(join(folder, 'skills'), 'sql-review');
  const catalog = await openCatalog({ roots: [join(folder, 'skills')], watch: false });
  const store = await openStore({ data: data() });
  const { noteLoad, noteFile } = createRepertoire(catalog, { noteLoad: store.noteLoad, noteFile: store.noteFile });
  noteLoad({ skillName: 'sql-review', text: '# SQL', client: 'my-app', surface: 'api' });
  noteFile({ skillName: 'sql-review', path: 'joins.md', digest: 'sha256:0', client: 'my-app', surface: 'api' });
  await store.close();
  catalog.close();
  const parts = openParts({ kind: 'sqlite', dataDirectory: data() });
  expect(await parts.loads.list({ limit: 5 })).toMatchObject({
    loads: [{ skillName: 'sql-review', client: 'my-app' }],
  });
  const { entries } = await parts.activity.list({ kind: 'file', limit: 5 });
  expect(entries).toMatchObject([{ skillName: 'sql-review', path: 'joins.md', agent: 'my-app' }]);
  await parts.close();
});

test('it opens nothing before its first use, and says whether it can be written to (C)', async () => {
  const store = await openStore({ data: data() });
  expect(existsSync(data())).toBe(false);
  expect(await store.health()).toEqual({ isReady: true });
  expect(await store.migrate()).toContain('0001-invocations');
  await store.close();
  expect(await store.health()).toMatchObject({ isReady: false, reason: 'Cannot use the store: it is closed' });
});

test('the DATABASE_URL of the program is its own: only databaseUrl leads to a PostgreSQL (C)', async () => {
  const before = process.env.DATABASE_URL;
  process.env.DATABASE_URL = 'postgres://127.0.0.1:1/of-the-program';
  try {
    const store = await openStore({ data: data() });
    expect(await store.health()).toEqual({ isReady: true });
    await store.close();
  } finally {
    if (before === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = before;
  }
});

test('a PostgreSQL that is away is no fault of the options: it is told by health() (C, H6)', async () => {
  const store = await openStore({ databaseUrl: 'postgres://127.0.0.1:1/none' });
  expect(await store.health()).toMatchObject({ isReady: false });
  await store.close();
});

test.each<[string, unknown, string]>([
  ['an unknown field', { dir: 'x' }, 'the field "dir" is unknown. Use data, databaseUrl, keep, log.'],
  ['a text that is none', { data: 5 }, 'the field "data" is not a text. Write "…".'],
  ['a duration that is none', { keep: 'ever' }, 'the field "keep" is not a duration. Write "90m", "12h" or "30d".'],
  ['no object', './data', 'its options are a string, not an object. Write openStore({ … }).'],
  [
    'an address of something else',
    { databaseUrl: 'mysql://me:hunter2@db/x' },
    'the field "databaseUrl" is not the address of a PostgreSQL; use postgres://USER:PASSWORD@HOST/DATABASE',
  ],
])('refuses %s in a sentence (C)', async (_what, options, said) => {
  await expect(openStore(options as StoreOptions)).rejects.toThrow(new Error(`Cannot open the store: ${said}`));
});

const MARCH = { since: new Date('2026-03-01'), until: new Date('2026-04-01') };

test.each<['list' | 'stats' | 'statsBy', unknown, string]>([
  ['stats', { window: '1h' }, 'the field "window" is unknown. Use skill, since, until.'],
  [
    'stats',
    { by: 'agent', ...MARCH },
    'the field "by" belongs to statsBy(). Write statsBy({ by: "agent", since, until }).',
  ],
  ['stats', { ...MARCH, since: '1h' }, 'the field "since" is not a date. Write new Date("2026-01-31").'],
  ['stats', { since: MARCH.since }, 'the field "until" is not a date. Write new Date("2026-01-31").'],
  ['stats', undefined, 'its options are undefined, not an object. Write stats({ … }).'],
  ['statsBy', MARCH, 'the field "by" is no key. Write "agent", or a function from the name of a skill to a key.'],
  ['list', {}, 'the field "limit" is no whole number from 1. Write 20.'],
  ['list', { limit: 5, skil: 'greet' }, 'the field "skil" is unknown. Did you mean "skill"?'],
  [
    'list',
    { limit: 5, failureCode: 'timeout' },
    'the field "failureCode" is none of its values. Write "VALIDATION_ERROR",',
  ],
])('its %s(%o) is refused in a sentence (C, X8)', async (call, query, said) => {
  const store = await openStore({ data: data() });
  const asked = store.invocations[call] as (query: unknown) => Promise<unknown>; // as a program without types has it
  await expect(asked(query)).rejects.toThrow(`Cannot ask ${call}(): ${said}`);
  await store.close();
});

test('its stats() and statsBy() count what ran (C, X8)', async () => {
  await runOnce('first');
  const store = await openStore({ data: data() });
  const span = { since: new Date(Date.now() - 3_600_000), until: new Date() };
  expect(await store.invocations.stats(span)).toMatchObject({ skills: [{ skillName: 'echo', count: 1 }] });
  expect(await store.invocations.statsBy({ ...span, by: 'agent' })).toMatchObject([{ count: 1 }]);
  expect(await store.invocations.statsBy({ ...span, by: (name) => name.slice(0, 2) })).toMatchObject([{ key: 'ec' }]);
  await store.close();
});
