// The trail on a real SQLite file: what is entered, and that whatever is done to it without its key is found (L5).
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PATIENT } from '../../tests/support/patience.ts';
import fc from '../../tests/support/property.ts';
import { headText, parseHead, type Trail, type TrailNote } from '../identity/trail.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
let store: Store;
let trail: Trail;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-trail-'));
  open();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(secret?: string, dataDirectory = folder): void {
  store = openStore({ kind: 'sqlite', dataDirectory: folder }, { ...PATIENT, trailKey: { dataDirectory, secret } });
  trail = store.trail;
}

const noteOf = (subject: string): TrailNote => ({
  actor: 'local',
  action: 'agent.revoke',
  subject,
  digest: 'sha256:00',
  details: { subject },
});

async function enter(count: number): Promise<void> {
  for (let each = 1; each <= count; each += 1) await trail.note(noteOf(`agent-${each}`));
}

/** As someone does who has the file, and not the key. */
function tamper(...statements: readonly string[]): void {
  const database = new Database(join(folder, 'repertoire.db'));
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}

const verdict = async (head?: string) => {
  const { fault } = await trail.verify(head === undefined ? {} : { head: parseHead(head) });
  return fault && [fault.kind, fault.seq];
};

const headNow = async () => headText((await trail.list({ limit: 1 })).head);

test('an empty trail has a head, and is whole without a key (L5)', async () => {
  const { head, entries, nextCursor } = await trail.list({ limit: 10 });
  expect([headText(head), entries, nextCursor]).toEqual([`0:${'0'.repeat(64)}`, [], undefined]);
  expect(await trail.verify()).toEqual({ entries: 0, head, fault: undefined });
  expect(readdirSync(folder)).not.toContain('trail-key');
});

test('lists entries newest first, page by page, with a head that is the newest (L5)', async () => {
  await enter(5);
  const first = await trail.list({ limit: 2 });
  expect(first.entries.map(({ seq, subject }) => [seq, subject])).toEqual([
    [5, 'agent-5'],
    [4, 'agent-4'],
  ]);
  expect(first.head).toEqual({ seq: 5, hash: first.entries[0]?.hash });
  const second = await trail.list({ limit: 3, cursor: first.nextCursor ?? '' });
  expect([second.entries.map(({ seq }) => seq), second.nextCursor]).toEqual([[3, 2, 1], undefined]);
  for (const cursor of ['', '0', 'x', '1e3', '-1', '9'.repeat(40)]) {
    await expect(trail.list({ limit: 1, cursor }), cursor).rejects.toThrow('the cursor is none of ours');
  }
});

test('an entry is kept as it was given, whatever is in it, and verified over many pages (L5)', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const details = { roles: ['a', '\u0000\ud800 "x"'], none: null, deep: { n: 1.5 } };
  await trail.note({ actor: 'user:a\u0000b\ud800', action: 'user.grant', subject: 'Zoë 🦊', digest, details });
  await enter(520);
  const { entries } = await trail.list({ limit: 1, cursor: '2' });
  expect(entries).toMatchObject([{ seq: 1, actor: 'user:a\ufffdb\ufffd', subject: 'Zoë 🦊', digest, details }]);
  const seen: number[] = [];
  const report = await trail.verify({ onProgress: (done, all) => seen.push(done / all) });
  expect(report).toMatchObject({ entries: 521, fault: undefined });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.at(-1)).toBe(1);
});

describe('what was done to five entries without their key is found, and the first one named (L5)', () => {
  const column = (name: string, value: string): [string, string[], string, number] => [
    `${name} changed`,
    [`UPDATE repertoire_trail SET ${name} = ${value} WHERE seq = 3`],
    'changed',
    3,
  ];
  test.each<[string, readonly string[], string, number]>([
    column('actor', "'agent:x'"),
    column('time_ms', 'time_ms + 1'),
    column('action', "'agent.add'"),
    column('subject', "subject || ' '"),
    column('subject', 'CAST(subject AS BLOB)'),
    column('digest', "''"),
    column('details', "'{}'"),
    column('details', 'NULL, digest = details'),
    column('key_id', "'0123456789abcdef'"),
    column('previous', "''"),
    column('hash', `'${'0'.repeat(64)}'`),
    column('hash', '(SELECT hash FROM repertoire_trail WHERE seq = 2)'),
    ['the first changed', ["UPDATE repertoire_trail SET actor = 'x' WHERE seq = 1"], 'changed', 1],
    ['the last changed', ["UPDATE repertoire_trail SET actor = 'x' WHERE seq = 5"], 'changed', 5],
    ['several changed', ["UPDATE repertoire_trail SET actor = 'x' WHERE seq IN (4, 2)"], 'changed', 2],
    ['the first removed', ['DELETE FROM repertoire_trail WHERE seq = 1'], 'removed', 1],
    ['one removed', ['DELETE FROM repertoire_trail WHERE seq = 3'], 'removed', 3],
    ['the last removed', ['DELETE FROM repertoire_trail WHERE seq = 5'], 'removed', 5],
    ['the last two removed', ['DELETE FROM repertoire_trail WHERE seq > 3'], 'removed', 4],
    ['all removed', ['DELETE FROM repertoire_trail'], 'removed', 1],
    [
      'one removed, and those behind it moved up',
      ['DELETE FROM repertoire_trail WHERE seq = 3', ...[4, 5].map((seq) => move(seq, seq - 1))],
      'removed',
      3,
    ],
    [
      'one before the last removed, that one moved up and the head with it',
      ['DELETE FROM repertoire_trail WHERE seq = 4', move(5, 4), 'UPDATE repertoire_trail_head SET seq = 4'],
      'removed',
      4,
    ],
    ['one inserted at the end', [copy(5, 6)], 'inserted', 6],
    [
      'one inserted at the end, and the number and hash of the head with it',
      [
        copy(5, 6),
        'UPDATE repertoire_trail_head SET seq = 6, hash = (SELECT hash FROM repertoire_trail WHERE seq = 6)',
      ],
      'inserted',
      6,
    ],
    ['one inserted far behind', [copy(5, 600)], 'inserted', 600],
    ['one inserted before the first', [copy(1, 0)], 'inserted', 0],
    ['one inserted with a number below nothing', [copy(1, -7)], 'inserted', -7],
    [
      'one inserted, and those behind it moved',
      [...[5, 4, 3].map((seq) => move(seq, seq + 1)), copy(2, 3)],
      'inserted',
      3,
    ],
    ['two swapped', [move(3, 99), move(4, 3), move(99, 4)], 'reordered', 3],
    ['the first moved to the end', [move(1, 6)], 'reordered', 1],
    ['the head set back', ['UPDATE repertoire_trail_head SET seq = 4'], 'head', 5],
    ['the head set forward', ['UPDATE repertoire_trail_head SET seq = 6'], 'head', 5],
    ['the hash of the head changed', [`UPDATE repertoire_trail_head SET hash = '${'0'.repeat(64)}'`], 'head', 5],
    ['the seal of the head changed', ["UPDATE repertoire_trail_head SET seal = ''"], 'head', 5],
    ['the key of the head renamed', ["UPDATE repertoire_trail_head SET key_id = 'x'"], 'head', 5],
    ['the head removed', ['DELETE FROM repertoire_trail_head'], 'head', 5],
    [
      'the last removed, and the head rewritten',
      [
        'DELETE FROM repertoire_trail WHERE seq = 5',
        'UPDATE repertoire_trail_head SET seq = 4, hash = (SELECT hash FROM repertoire_trail WHERE seq = 4)',
      ],
      'head',
      4,
    ],
    ['the last removed, and the head made from what the rows hold', cutTo(4), 'head', 4],
    ['all but the first removed, and the head made from what the rows hold', cutTo(1), 'head', 1],
  ])('%s', async (_what, statements, kind, seq) => {
    await enter(5);
    expect(await verdict()).toBeUndefined();
    tamper(...statements);
    expect(await verdict()).toEqual([kind, seq]);
  });
});

/** The entry behind the new end is the one that was chained to it. */
function cutTo(seq: number): string[] {
  const from = (column: string, place: number) => `(SELECT ${column} FROM repertoire_trail WHERE seq = ${place})`;
  return [
    `UPDATE repertoire_trail_head SET seq = ${seq}, hash = ${from('hash', seq)}, key_id = ${from('key_id', seq)},
      seal = ${from('previous', seq + 1)}`,
    `DELETE FROM repertoire_trail WHERE seq > ${seq}`,
  ];
}

const DROP_HEAD = 'DELETE FROM repertoire_trail_head';

const move = (from: number, to: number): string => `UPDATE repertoire_trail SET seq = ${to} WHERE seq = ${from}`;

const OTHERS = 'time_ms, actor, action, subject, digest, details, key_id, previous, hash';

const copy = (from: number, to: number): string =>
  `INSERT INTO repertoire_trail (seq, ${OTHERS}) SELECT ${to}, ${OTHERS} FROM repertoire_trail WHERE seq = ${from}`;

describe('what is written after the trail was tampered with does not cover it up (L5)', () => {
  test.each<[string, readonly string[], string, number]>([
    [
      'the end cut off, the head rewritten',
      [
        'DELETE FROM repertoire_trail WHERE seq > 3',
        'UPDATE repertoire_trail_head SET seq = 3, hash = (SELECT hash FROM repertoire_trail WHERE seq = 3)',
      ],
      'removed',
      4,
    ],
    ['the end cut off, the head removed', ['DELETE FROM repertoire_trail WHERE seq > 3', DROP_HEAD], 'removed', 4],
    ['the end cut off', ['DELETE FROM repertoire_trail WHERE seq > 3'], 'removed', 4],
    ['the head removed', [DROP_HEAD], 'removed', 6],
    ['the end cut off, the head made from what the rows hold', cutTo(3), 'removed', 4],
  ])('%s', async (_what, statements, kind, seq) => {
    await enter(5);
    tamper(...statements);
    await trail.note(noteOf('later'));
    expect(await verdict()).toEqual([kind, seq]);
    expect((await trail.list({ limit: 1 })).entries[0]?.subject).toBe('later');
  });
});

test('a head that was set back leads to no place that is taken: what was entered stays (L5)', async () => {
  await enter(5);
  tamper('UPDATE repertoire_trail_head SET seq = 2');
  await trail.note(noteOf('later'));
  expect((await trail.list({ limit: 1 })).entries).toMatchObject([{ seq: 6, subject: 'later' }]);
  expect(await verdict()).toBeUndefined();
});

test('a head that was kept elsewhere finds an end that is missing, however it was cut off (L5)', async () => {
  await enter(3);
  const early = await headNow();
  const backup = readFileSync(join(folder, 'trail-key'));
  const old = snapshot();
  await enter(2);
  const kept = await headNow();
  expect(await verdict(early)).toBeUndefined();
  expect(await verdict(kept)).toBeUndefined();
  await restore(old);
  expect(readFileSync(join(folder, 'trail-key'))).toEqual(backup);
  // A whole former state cannot be told from the present without it.
  expect(await verdict()).toBeUndefined();
  expect(await verdict(kept)).toEqual(['truncated', 4]);
  await enter(2);
  expect(await verdict(kept)).toEqual(['changed', 5]);
  expect((await trail.verify({ head: parseHead(kept) })).fault?.message).toMatch(/^Entry 5 has another hash/);
  expect(await verdict(early)).toBeUndefined();
});

describe('a head that was kept finds what was cut off, also where the record of the newest entry does not fit (L5)', () => {
  const setBack = 'UPDATE repertoire_trail_head SET seq = 3, hash = (SELECT hash FROM repertoire_trail WHERE seq = 3)';
  const cutOff = 'DELETE FROM repertoire_trail WHERE seq > 3';
  test.each<[string, readonly string[], string, number]>([
    ['rewritten', [cutOff, setBack], 'truncated', 4],
    ['made from what the rows hold', cutTo(3), 'truncated', 4],
    ['removed', [cutOff, DROP_HEAD], 'truncated', 4],
    ['removed, and all entries', ['DELETE FROM repertoire_trail', DROP_HEAD], 'truncated', 1],
    ['left as it was', [cutOff], 'removed', 4],
    ['rewritten, and nothing cut off', [setBack], 'head', 5],
  ])('%s', async (_what, statements, kind, seq) => {
    await enter(5);
    const kept = await headNow();
    tamper(...statements);
    expect(await verdict(kept)).toEqual([kind, seq]);
  });
});

test('an entry that is other than the head that was kept is not among those before it (L5)', async () => {
  await enter(3);
  const report = await trail.verify({ head: parseHead(`2:${'a'.repeat(64)}`) });
  expect([report.fault?.kind, report.fault?.seq, report.entries, report.head.seq]).toEqual(['changed', 2, 1, 1]);
});

function snapshot(): Buffer {
  const copy = join(folder, 'copy.db');
  tamper(`VACUUM INTO '${copy}'`);
  return readFileSync(copy);
}

async function restore(bytes: Buffer): Promise<void> {
  await store.close();
  for (const end of ['-wal', '-shm']) rmSync(join(folder, `repertoire.db${end}`), { force: true });
  writeFileSync(join(folder, 'repertoire.db'), bytes);
  open();
}

describe('under random edits (L5)', () => {
  const SEQS = fc.integer({ min: 1, max: 8 });
  beforeEach(async () => {
    await enter(8);
    tamper('CREATE TABLE kept AS SELECT * FROM repertoire_trail');
  });
  const undo = () => tamper('DELETE FROM repertoire_trail', 'INSERT INTO repertoire_trail SELECT * FROM kept');

  test('whatever one value is made into is found, and its entry named', async () => {
    const columns = fc.constantFrom(
      'time_ms',
      'actor',
      'action',
      'subject',
      'digest',
      'details',
      'key_id',
      'previous',
      'hash',
    );
    const values = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(columns, SEQS, values, async (name, seq, value) => {
        try {
          const isSame = edit(name, seq, value);
          expect((await verdict())?.[1]).toBe(isSame ? undefined : seq);
        } finally {
          undo();
        }
      }),
      { numRuns: 30 },
    );
  });

  test('copies where two pages meet, or without a number, are found in a table that lost its key', async () => {
    await enter(505);
    const columns = 'time_ms, actor, action, subject, digest, details, key_id, previous, hash';
    const insert = (seq: string, of: number) =>
      `INSERT INTO repertoire_trail (seq, ${columns}) SELECT ${seq}, ${columns} FROM repertoire_trail WHERE seq = ${of}`;
    tamper(
      'CREATE TABLE copied AS SELECT * FROM repertoire_trail',
      'DROP TABLE repertoire_trail',
      'ALTER TABLE copied RENAME TO repertoire_trail',
    );
    expect(await verdict()).toBeUndefined();
    tamper(insert('500', 7));
    expect(await verdict()).toEqual(['inserted', 500]);
    tamper("UPDATE repertoire_trail SET actor = 'x' WHERE seq = 504");
    expect(await verdict()).toEqual(['inserted', 500]);
    tamper(insert('NULL', 7));
    expect(await verdict()).toEqual(['inserted', 0]);
  });

  test('entries that are removed, swapped, copied and renumbered are found, and the first one named', async () => {
    const shift = (from: number, by: number) =>
      Array.from({ length: 9 - from }, (_, index) => (by > 0 ? 8 - index : from + index)).map((seq) =>
        move(seq, seq + by),
      );
    const edits = {
      remove: (one: number) => [`DELETE FROM repertoire_trail WHERE seq = ${one}`],
      close: (one: number) => [`DELETE FROM repertoire_trail WHERE seq = ${one}`, ...shift(one + 1, -1)],
      swap: (one: number, other: number) => [move(one, 99), move(other, one), move(99, other)],
      insert: (one: number, other: number) => [...shift(one, 1), copy(other < one ? other : other + 1, one)],
    } as const;
    const kinds = { remove: 'removed', close: 'removed', swap: 'reordered', insert: 'inserted' } as const;
    const names = fc.constantFrom(...(Object.keys(edits) as (keyof typeof edits)[]));
    await fc.assert(
      fc.asyncProperty(names, SEQS, SEQS, async (name, one, other) => {
        fc.pre(one !== other);
        try {
          tamper(...edits[name](one, other));
          // A later one in the place of another: that one was moved.
          const kind = name === 'insert' && other > one ? 'reordered' : kinds[name];
          expect(await verdict()).toEqual([kind, name === 'swap' ? Math.min(one, other) : one]);
        } finally {
          undo();
        }
      }),
      { numRuns: 30 },
    );
  });
});

/** Whether it was so before. */
function edit(name: string, seq: number, value: string | number | Uint8Array): boolean {
  const database = new Database(join(folder, 'repertoire.db'));
  try {
    const select = database.prepare(
      `SELECT ${name} AS it, typeof(${name}) AS kind FROM repertoire_trail WHERE seq = ?`,
    );
    const before = JSON.stringify(select.get(seq));
    const bound = value instanceof Uint8Array ? Buffer.from(value) : value;
    database.prepare(`UPDATE repertoire_trail SET ${name} = ? WHERE seq = ?`).run(bound, seq);
    return JSON.stringify(select.get(seq)) === before;
  } finally {
    database.close();
  }
}

describe('the key (L5)', () => {
  test('is a file for its owner alone, made by the first entry, and nothing of it is in the database', async () => {
    await enter(1);
    const path = join(folder, 'trail-key');
    const key = readFileSync(path, 'utf8').trim();
    expect([statSync(path).mode & 0o777, key]).toEqual([0o600, expect.stringMatching(/^[\w-]{43}$/)]);
    await store.close();
    expect(readFileSync(join(folder, 'repertoire.db')).includes(key)).toBe(false);
    open();
    await enter(1);
    expect(await verdict()).toBeUndefined();
  });

  test('comes from REPERTOIRE_SECRET where it is set; entries from before are still verified', async () => {
    await enter(2);
    await store.close();
    open('s'.repeat(32));
    await enter(2);
    expect(await verdict()).toBeUndefined();
    tamper("UPDATE repertoire_trail SET subject = 'x' WHERE seq = 2");
    expect(await verdict()).toEqual(['changed', 2]);
  });

  test('of another server is named as such', async () => {
    await enter(2);
    await store.close();
    open('s'.repeat(32), join(folder, 'elsewhere'));
    await enter(1);
    const { fault } = await trail.verify();
    expect(fault).toEqual({
      seq: 1,
      kind: 'key',
      message: 'Entry 1 was written with another key: set REPERTOIRE_SECRET to the same value on every server',
    });
    await store.close();
    open();
    expect(await verdict()).toEqual(['key', 3]);
  });

  test('that is not here is said, and none is made by looking', async () => {
    await enter(1);
    rmSync(join(folder, 'trail-key'));
    await store.close();
    open();
    expect((await trail.verify()).fault).toMatchObject({
      kind: 'key',
      message: expect.stringMatching(/^Entry 1 cannot be verified: the key of the trail is not here; set /),
    });
    expect(readdirSync(folder)).not.toContain('trail-key');
  });

  test.each<[string, string | undefined, () => void, string]>([
    ['a weak secret', 'short', () => undefined, 'REPERTOIRE_SECRET has fewer than 32 bytes'],
    ['a file that is cut off', undefined, () => writeFileSync(join(folder, 'trail-key'), 'abc\n'), 'is cut off'],
  ])(
    '%s refuses the change that would be entered, and only that',
    async (_what, secret, prepare, said): Promise<void> => {
      await store.close();
      prepare();
      open(secret);
      const agent = { name: 'a', tokenDigest: 'd', roles: [], scopes: [], createdAt: new Date(), expiresAt: undefined };
      await expect(store.agents.add(agent, 'local')).rejects.toThrow(said);
      expect(await store.agents.list()).toEqual([]);
      // The database is well: what needs no entry goes on.
      expect(await store.secrets.getOrAdd('x', () => 'y')).toBe('y');
    },
  );

  test('that others could read is closed to them', async () => {
    await enter(1);
    chmodSync(join(folder, 'trail-key'), 0o644);
    await store.close();
    open();
    await enter(1);
    expect(statSync(join(folder, 'trail-key')).mode & 0o777).toBe(0o600);
  });
});

test('agents that are added and revoked are entered with who did it; what changed nothing is not (L5)', async () => {
  const expiresAt = new Date('2027-01-01T00:00:00Z');
  const agent = { name: 'bot', tokenDigest: 'd', roles: ['A'], scopes: [], createdAt: new Date(), expiresAt };
  await store.agents.add(agent, 'local');
  await store.agents.add(agent, 'local');
  await store.agents.revoke('bot', new Date(), 'agent:chief');
  await store.agents.revoke('bot', new Date(), 'agent:chief');
  const { entries } = await trail.list({ limit: 10 });
  expect(entries.map(({ actor, action, subject, details }) => [actor, action, subject, details])).toEqual([
    ['agent:chief', 'agent.revoke', 'bot', undefined],
    ['local', 'agent.add', 'bot', { roles: ['A'], scopes: [], expires_at: expiresAt.toISOString() }],
  ]);
  expect(JSON.stringify(entries)).not.toContain('"d"');
  expect(await verdict()).toBeUndefined();
});
