// `repertoire trail` as a user meets it, on real stores: entries of commands and of a server, and what is done to them (L5).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type CliWorld, createCliWorld } from './cli-world.ts';
import { createDatabase, makeTables, queryPostgres } from './support/postgres-database.ts';
import { startServeProcess } from './support/serve-process.ts';

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.remove());

const SECRET = { REPERTOIRE_SECRET: 'a secret of thirty-two bytes or more' };

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  test('what commands change is entered, verified and found when it is changed (L5)', async () => {
    const database = await createDatabase({ url: inject('postgresUrl') });
    if (kind === 'postgres') await makeTables(database);
    const place = [
      '--data',
      join(world.home, 'data'),
      ...(kind === 'postgres' ? ['--database-url', database.url] : []),
    ];
    const run = (...words: readonly string[]) => world.run([...words, ...place]);
    const old = run('token').stdout;
    expect(run('agent', 'add', 'bot', '--role', 'A', '--scope', 'skills:approve').code).toBe(0);
    const rotated = run('token', '--rotate');
    expect([rotated.code, rotated.stdout === old]).toEqual([0, false]);
    expect(run('agent', 'revoke', 'bot').code).toBe(0);
    const { head, entries, next_cursor } = JSON.parse(run('trail', '--json').stdout);
    expect(entries).toMatchObject([
      { seq: 3, actor: 'local', action: 'agent.revoke', subject: 'bot' },
      { seq: 2, actor: 'local', action: 'token.rotate', subject: 'operator', digest: null },
      { seq: 1, actor: 'local', action: 'agent.add', subject: 'bot', details: { scopes: ['skills:approve'] } },
    ]);
    expect([head, next_cursor]).toEqual([`3:${entries[0].hash}`, null]);
    expect(run('trail').stdout).toContain(head);
    expect(run('trail', '--verify', '--head', head)).toEqual({
      code: 0,
      stdout: `3 entries, unbroken, head ${head}\n`,
      stderr: '',
    });
    expect(run('trail', '--verify', '--head', `4:${'a'.repeat(64)}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('entry 4 was removed'),
    });
    expect(run('trail', '--verify', '--head', 'nonsense').code).toBe(2);
    const edit = "UPDATE repertoire_trail SET subject = 'other' WHERE seq = 2";
    if (kind === 'postgres') await queryPostgres(database.url, edit);
    else new Database(join(world.home, 'data/repertoire.db')).exec(edit);
    const broken = run('trail', '--verify');
    expect(broken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Entry 2 was changed') });
    expect(JSON.parse(run('trail', '--verify', '--json').stdout)).toMatchObject({ unbroken: false, fault: { seq: 2 } });
    // No token, and no digest of one.
    expect(JSON.stringify(entries)).not.toContain(rotated.stdout.trim());
    const key = readFileSync(join(world.home, 'data/trail-key'), 'utf8').trim();
    expect(key).toMatch(/^[\w-]{43}$/);
  });
});

test('a server enters who asked it, also with --no-log, and shows it to approvers (L5)', async () => {
  const data = join(world.home, 'data');
  const server = await startServeProcess(['--data', data, '--no-log'], { ...world.environment, ...SECRET });
  try {
    const added = await server.ask('/api/agents', {
      body: JSON.stringify({ name: 'board', scopes: ['skills:approve'] }),
    });
    const { token } = JSON.parse(added.text);
    await server.ask('/api/agents', { body: JSON.stringify({ name: 'reader', scopes: ['log:read'] }) });
    const asApprover = await server.ask('/api/trail?limit=1', { headers: { Authorization: `Bearer ${token}` } });
    const page = JSON.parse(asApprover.text);
    expect(page.entries).toMatchObject([{ seq: 2, actor: 'local', action: 'agent.add', subject: 'reader' }]);
    expect(page).toMatchObject({ head: `2:${page.entries[0].hash}`, next_cursor: '2' });
    const rest = JSON.parse((await server.ask(`/api/trail?cursor=${page.next_cursor}`)).text);
    expect(rest).toMatchObject({ entries: [{ seq: 1 }], next_cursor: null });
    for (const query of ['cursor=x', 'limit=0', 'limit=5000', 'other=1'])
      expect((await server.ask(`/api/trail?${query}`)).status, query).toBe(400);
    const verify = world.run(['trail', '--verify', '--data', data, '--head', page.head], SECRET);
    expect(verify).toMatchObject({ code: 0, stdout: `2 entries, unbroken, head ${page.head}\n` });
    const without = world.run(['trail', '--verify', '--data', data]);
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('the key of the trail is not here') });
  } finally {
    await server.stop();
  }
});

test('a rotation that cannot be entered is refused with the way out, and the token stays (L5)', () => {
  const token = world.run(['token']).stdout;
  const refused = world.run(['token', '--rotate', '--database-url', 'postgres://127.0.0.1:1/none']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^Cannot rotate the operator token: its entry [^\n]+ delete operator-token [^\n]+\n$/);
  expect(world.run(['token']).stdout).toBe(token);
});

test('serve on PostgreSQL beyond this machine warns once when the key is that of one data directory (L5)', async () => {
  const { url } = await createDatabase({ url: inject('postgresUrl') });
  const words = ['--host', '0.0.0.0', '--data', join(world.home, 'data'), '--database-url', url];
  const warnings = async (variables: Readonly<Record<string, string>>) => {
    const server = await startServeProcess(words, { ...world.environment, ...variables });
    await server.stop();
    return server.stderr().split('The trail is keyed with a file').length - 1;
  };
  expect(await warnings({})).toBe(1);
  expect(await warnings(SECRET)).toBe(0);
});
