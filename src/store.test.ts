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

test('openStore() keeps what runs in a file that the next program reads (C, X7)', async () => {
  await runOnce('first');
  const { answer, inputs } = await runOnce('second');
  expect(answer).toMatchObject({ success: true, outputPayload: { text: 'second' } });
  expect(inputs).toEqual([{ text: 'second' }, { text: 'first' }]);
});

test('no byte of the file holds what stands under a name of a secret, marked or not, however deep (X1)', async () => {
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

test('its noteLoad records documents that are read; close() writes what waits (C, D9)', async () => {
  writeSkill(join(folder, 'skills'), 'sql-review');
  const catalog = await openCatalog({ roots: [join(folder, 'skills')], watch: false });
  const store = await openStore({ data: data() });
  const { noteLoad } = createRepertoire(catalog, { noteLoad: store.noteLoad });
  noteLoad({ skillName: 'sql-review', text: '# SQL', client: 'my-app', surface: 'api' });
  await store.close();
  catalog.close();
  const parts = openParts({ kind: 'sqlite', dataDirectory: data() });
  expect(await parts.loads.list({ limit: 5 })).toMatchObject({
    loads: [{ skillName: 'sql-review', client: 'my-app' }],
  });
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
