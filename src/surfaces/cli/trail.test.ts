// `trail` on a real folder: what it prints, what it finds, and with which exit code (L5, C).
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PATIENT } from '../../../tests/support/patience.ts';
import { openStore } from '../../store/store.ts';
import { createCommandWorld } from './fixtures/command-world.ts';
import type { OptionName } from './options.ts';
import { run } from './trail.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'repertoire-trail-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

async function enter(count: number): Promise<void> {
  const store = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
  for (let each = 1; each <= count; each += 1) {
    const details = { roles: ['A', 'B'], scopes: [], expires_at: null };
    await store.trail.note({ actor: 'local', action: 'agent.add', subject: `bot-${each}`, details });
  }
  await store.close();
}

function tamper(statement: string): void {
  const database = new Database(join(data, 'repertoire.db'));
  database.exec(statement);
  database.close();
}

interface Asked {
  readonly flags?: readonly OptionName[];
  readonly values?: Readonly<Partial<Record<OptionName, string>>>;
  readonly isTerminal?: boolean;
  readonly columns?: number;
}

async function trail(asked: Asked = {}) {
  const world = createCommandWorld({ given: { data }, ...asked });
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

const EMPTY = `0:${'0'.repeat(64)}`;

test('without a store the head is that of an empty trail, and nothing is made (L5)', async () => {
  const shown = await trail();
  expect(shown).toEqual({
    code: 0,
    stdout: `head\t${EMPTY}\n`,
    stderr: expect.stringMatching(/^No entries yet: .+\n$/),
  });
  expect(JSON.parse((await trail({ flags: ['json'] })).stdout)).toEqual({
    head: EMPTY,
    entries: [],
    next_cursor: null,
  });
  expect(await trail({ flags: ['verify'] })).toMatchObject({ code: 0, stdout: `0 entries, unbroken, head ${EMPTY}\n` });
  const kept = await trail({ flags: ['verify'], values: { head: `3:${'a'.repeat(64)}` } });
  expect(kept).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no trail in this store') });
  expect(readdirSync(data)).toEqual([]);
});

test('prints the head and the newest entries, for programs, as JSON and for people (L5)', async () => {
  await enter(3);
  const { head, entries, next_cursor } = JSON.parse((await trail({ flags: ['json'], values: { limit: '2' } })).stdout);
  expect(head).toBe(`3:${entries[0].hash}`);
  expect(next_cursor).toBe('2');
  expect(entries[0]).toEqual({
    seq: 3,
    actor: 'local',
    time: expect.stringMatching(/^\d{4}-.+Z$/),
    action: 'agent.add',
    subject: 'bot-3',
    digest: null,
    details: { roles: ['A', 'B'], scopes: [], expires_at: null },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const lines = (await trail({ values: { cursor: '3' } })).stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.split('\t')[0])).toEqual(['head', '2', '1']);
  const screen = await trail({ isTerminal: true, columns: 100, values: { limit: '2' } });
  expect(screen.stdout).toMatch(/actor +action +subject\n/);
  expect(screen.stdout).toMatch(/ 2 +local +agent\.add +bot-2 +roles A, B\n/);
  expect(screen.stdout.trimEnd().split('\n').at(-1)).toBe(`head ${head}`);
  expect(screen.stderr).toContain('--cursor 2');
});

test('at 100 columns a digest is cut so that the message is seen, and no line is blank (L5, U5)', async () => {
  const store = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
  const digest = `sha256:${'ab'.repeat(32)}`;
  const details = { message: 'Say who decides', base: `sha256:${'cd'.repeat(32)}` };
  await store.trail.note({ actor: 'local', action: 'skill.version', subject: 'refunds', digest, details });
  await store.trail.note({ actor: 'local', action: 'agent.revoke', subject: 'bot' });
  await store.close();
  const { stdout } = await trail({ isTerminal: true, columns: 100 });
  expect(stdout).toContain('digest abababababab · message Say who decides · base cdcdcdcdcdcd\n');
  expect(stdout).not.toMatch(/\n[ ]*\n/);
  expect((await trail()).stdout).toContain(digest);
});

test('no line of a narrow terminal is wider, but the head, which is to be copied (U5)', async () => {
  await enter(1);
  const { stdout } = await trail({ isTerminal: true, columns: 60 });
  for (const line of stdout.trimEnd().split('\n').slice(0, -1)) expect(line.length).toBeLessThanOrEqual(60);
});

test('verifies, and names the first bad entry with exit 1 (L5)', async () => {
  await enter(4);
  const { head } = JSON.parse((await trail({ flags: ['json'] })).stdout);
  for (const values of [{}, { head }]) {
    expect(await trail({ flags: ['verify'], values })).toEqual({
      code: 0,
      stdout: `4 entries, unbroken, head ${head}\n`,
      stderr: '',
    });
  }
  tamper("UPDATE repertoire_trail SET actor = 'agent:x' WHERE seq = 3");
  expect(await trail({ flags: ['verify'] })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The trail is broken. Entry 3 was changed. The 2 entries before that are as they were written\n',
  });
  const asJson = await trail({ flags: ['verify', 'json'] });
  expect([asJson.code, JSON.parse(asJson.stdout)]).toEqual([
    1,
    {
      unbroken: false,
      entries: 2,
      head: expect.stringMatching(/^2:[0-9a-f]{64}$/),
      fault: { seq: 3, kind: 'changed', message: 'Entry 3 was changed' },
    },
  ]);
});

test('a head that was kept finds an end that was cut off with everything that belongs to it (L5)', async () => {
  await enter(2);
  tamper(`CREATE TABLE old AS SELECT * FROM repertoire_trail_head`);
  await enter(2);
  const { head } = JSON.parse((await trail({ flags: ['json'] })).stdout);
  tamper(`DELETE FROM repertoire_trail WHERE seq > 2; DELETE FROM repertoire_trail_head;
    INSERT INTO repertoire_trail_head SELECT * FROM old`);
  expect((await trail({ flags: ['verify'] })).code).toBe(0);
  expect(await trail({ flags: ['verify'], values: { head } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The trail ends at entry 2: entries 3 to 4 were removed'),
  });
});

test.each<[string, Asked]>([
  ['no head', { flags: ['verify'], values: { head: 'x' } }],
  ['a head without a hash', { flags: ['verify'], values: { head: '5:' } }],
  ['a head with half a hash', { flags: ['verify'], values: { head: '5:abc' } }],
  ['a head before the first with a hash', { flags: ['verify'], values: { head: `0:${'a'.repeat(64)}` } }],
  ['a head without --verify', { values: { head: EMPTY } }],
  ['a limit with --verify', { flags: ['verify'], values: { limit: '5' } }],
  ['a cursor with --verify', { flags: ['verify'], values: { cursor: '5' } }],
])('%s is wrong usage: one sentence, exit 2 (L5, C)', async (_what, asked) => {
  expect(await trail(asked)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/^Option --[^\n]+\n$/) });
});

test('a cursor that is none of ours is wrong usage, a folder that is not there a failure (C)', async () => {
  await enter(1);
  expect((await trail({ values: { cursor: 'x' } })).code).toBe(2);
  const gone = join(data, 'gone');
  const world = createCommandWorld({ given: { data: gone }, values: { data: gone } });
  expect([await run(world.context), world.stderr()]).toEqual([1, expect.stringContaining('Cannot read the trail: ')]);
});
