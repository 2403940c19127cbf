// `repertoire agent` and `repertoire token` as a user meets them, on real stores (C, H5).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type CliWorld, createCliWorld } from './cli-world.ts';
import { CANNOT_REACH, createDatabase, makeTables } from './support/postgres-database.ts';
import { program } from './support/world.ts';

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.remove());

const dataDirectory = () => join(world.home, '.repertoire');

describe('agent', () => {
  test.each(['sqlite', 'postgres'])('is added, listed, revoked and added again on %s (H5, C)', async (kind) => {
    const database = await createDatabase({ url: inject('postgresUrl') });
    if (kind === 'postgres') await makeTables(database);
    const place = kind === 'sqlite' ? ['--data', 'data'] : ['--database-url', database.url];
    const run = (...words: readonly string[]) => world.run(['agent', ...words, ...place]);
    const added = JSON.parse(run('add', 'TaskAgent', '--role', 'log:read', '--expires', '90d', '--json').stdout);
    expect(added).toEqual({ name: 'TaskAgent', token: expect.stringMatching(/^rpa_[\w-]{43}$/) });
    expect(run('add', 'TaskAgent')).toMatchObject({ code: 1, stdout: '' });
    const listed = run('list', '--json').stdout;
    expect(JSON.parse(listed).agents).toMatchObject([
      { name: 'TaskAgent', state: 'active', roles: ['TaskAgent'], scopes: ['log:read'] },
    ]);
    expect(listed).not.toContain(added.token.slice(4));
    expect(run('revoke', 'TaskAgent')).toMatchObject({ code: 0, stdout: '' });
    expect(run('revoke', 'TaskAgent').code).toBe(1);
    const again = run('add', 'TaskAgent', '--role', 'A', '--role', 'B').stdout.trimEnd();
    expect(again).not.toBe(added.token);
    expect(run('list').stdout).toMatch(/^TaskAgent\tactive\tA,B\t\t[\d:.TZ-]+\t\t\n$/);
  });

  test('keeps no token on the disk (H5)', () => {
    const token = world.run(['agent', 'add', 'TaskAgent']).stdout.trimEnd();
    for (const name of readdirSync(dataDirectory())) {
      expect(readFileSync(join(dataDirectory(), name), 'latin1')).not.toContain(token.slice(4));
    }
  });

  test('list makes no store where none is (C)', () => {
    expect(world.run(['agent', 'list'])).toMatchObject({ code: 0, stdout: '' });
    expect(readdirSync(world.home)).toEqual([]);
  });

  test('says in one sentence that the store cannot be reached, exit 1 (C)', () => {
    const { code, stdout, stderr } = world.run(['agent', 'add', 'x', '--database-url', 'postgres://127.0.0.1:1/x']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(CANNOT_REACH);
  });

  test.each([
    [[]],
    [['frobnicate']],
    [['add']],
    [['add', 'a b']],
    [['add', 'x', '--no-log']],
    [['add', 'x', '--expires', 'soon']],
  ])('%j is wrong usage, exit 2 (C)', (words) => {
    expect(world.run(['agent', ...words])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+\n$/),
    });
  });
});

describe('token', () => {
  /** Without waiting for it. */
  async function startToken(): Promise<string> {
    const child = spawn(process.execPath, [program, 'token'], { cwd: world.project, env: world.environment });
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part;
    });
    const [code] = await once(child, 'close');
    return `${code} ${text}`;
  }

  test('of ten first starts at once all print the same one (H5)', async () => {
    const printed = new Set(await Promise.all(Array.from({ length: 10 }, startToken)));
    expect([...printed]).toEqual([`0 ${readFileSync(join(dataDirectory(), 'operator-token'), 'utf8')}`]);
    expect(readdirSync(dataDirectory())).toEqual(['operator-token']);
    expect(statSync(join(dataDirectory(), 'operator-token')).mode & 0o777).toBe(0o600);
  });

  test('is the one of REPERTOIRE_OPERATOR_TOKEN where that is set (H5)', () => {
    const own = 'own-token-of-the-environment-0123456789';
    expect(world.run(['token', '--json'], { REPERTOIRE_OPERATOR_TOKEN: own }).stdout).toBe(
      `{\n  "token": "${own}"\n}\n`,
    );
    expect(world.run(['token'], { REPERTOIRE_OPERATOR_TOKEN: 'short' })).toMatchObject({ code: 1, stdout: '' });
    expect(readdirSync(world.home)).toEqual([]);
  });
});
