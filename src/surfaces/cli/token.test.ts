// `token` on a real folder (C, H5).
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PATIENT } from '../../../tests/support/patience.ts';
import { openStore } from '../../store/store.ts';
import { createCommandWorld } from './fixtures/command-world.ts';
import type { OptionName } from './options.ts';
import { run } from './token.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'repertoire-token-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

async function token(flags: readonly OptionName[] = [], operatorToken?: string, isTerminal = false) {
  const world = createCommandWorld({ given: { data }, flags, isTerminal });
  const { settings } = world.context;
  const context = { ...world.context, settings: { ...settings, http: { ...settings.http, operatorToken } } };
  const code = await run(context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test('prints the token alone, the same every time, as JSON too (H5, C)', async () => {
  const first = await token();
  expect(first).toEqual({ code: 0, stdout: expect.stringMatching(/^rpo_[\w-]{43}\n$/), stderr: '' });
  expect(await token()).toEqual(first);
  expect(JSON.parse((await token(['json'])).stdout)).toEqual({ token: first.stdout.trimEnd() });
});

test('makes a new one with --rotate, and tells a person what follows from it (H5, C)', async () => {
  const { stdout: old } = await token();
  const rotated = await token(['rotate'], undefined, true);
  expect(rotated).toMatchObject({
    code: 0,
    stderr: 'Servers reject the old token within a second: give your clients the new one\n',
  });
  expect(rotated.stdout).not.toBe(old);
  expect((await token()).stdout).toBe(rotated.stdout);
});

test('enters a rotation into the trail, and rotates nothing that cannot be entered (L5)', async () => {
  const entries = async () => {
    const store = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
    const page = await store.trail.list({ limit: 9 });
    await store.close();
    return page.entries.map(({ actor, action, subject, details }) => [actor, action, subject, details]);
  };
  const { stdout } = await token(['rotate']);
  expect(await entries()).toEqual([['local', 'token.rotate', 'operator', undefined]]);
  writeFileSync(join(data, 'trail-key'), 'x');
  const refused = await token(['rotate']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^Cannot rotate the operator token: its entry [^\n]+ delete operator-token [^\n]+\n$/);
  expect((await token()).stdout).toBe(stdout);
  // The variable sets it: there is nothing to enter.
  await token(['rotate'], 'e'.repeat(32));
  expect(await entries()).toHaveLength(1);
});

test('warns beside the token when others could read it (H5)', async () => {
  const { stdout } = await token();
  chmodSync(join(data, 'operator-token'), 0o640);
  expect(await token()).toEqual({ code: 0, stdout, stderr: expect.stringMatching(/^Others could read [^\n]+\n$/) });
});

test('prints the one of the environment, or says in one line what is wrong with it, exit 1 (H5, C)', async () => {
  expect(await token([], 'e'.repeat(32))).toEqual({ code: 0, stdout: `${'e'.repeat(32)}\n`, stderr: '' });
  const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/^Cannot [^\n]+\n$/) };
  expect(await token([], 'short')).toEqual(refused);
  expect(await token(['rotate'], 'e'.repeat(32))).toEqual(refused);
});

test('names itself as it is started here, and the folder that was given, where a new one is needed (U5)', async () => {
  writeFileSync(join(data, 'operator-token'), '');
  const world = createCommandWorld({ given: { data }, values: { data } });
  const code = await run({ ...world.context, program: () => ['node', '/checkout/dist/cli.js'] });
  const line = `node /checkout/dist/cli.js token --rotate --data ${data}`;
  expect({ code, stderr: world.stderr() }).toEqual({ code: 1, stderr: expect.stringContaining(`with \`${line}\`\n`) });
});
