// An entry read back: whatever `connect` writes for a host, and what people write by hand.
import { describe, expect, test } from 'vitest';
import { createFields, type Fields, toFields } from '../connect/fields.ts';
import { createEntry, findEntryKeys } from '../connect/host-entry.ts';
import { CONNECTABLE_HOSTS, type ConnectableHost } from '../connect/host-files.ts';
import { fillTarget, type Variables } from './fill-target.ts';
import { readTarget } from './read-target.ts';

function entryFor(host: ConnectableHost, server: Parameters<typeof createEntry>[1]) {
  const keys = findEntryKeys(host, 'user', createFields([]));
  if (!keys.ok) throw new Error(keys.failure);
  return createEntry(host, server, { scope: 'user', keys: keys.value }, undefined);
}

/** As a host that has these variables takes it. */
function read(entry: Fields, variables: Variables) {
  const written = readTarget(entry);
  if (!written.ok) return written;
  const filled = fillTarget(written.value, variables);
  return filled.ok ? { ok: true, value: filled.value.value } : filled;
}

describe('readTarget', () => {
  test.each(CONNECTABLE_HOSTS)('reads back the program that is written for $id (U5)', (host) => {
    const program = { command: 'node', args: ['/a b/cli.js', 'mcp', '--root', '/skills'] };
    expect(read(entryFor(host, program), {})).toEqual({ ok: true, value: { ...program, variables: {} } });
  });

  test.each(CONNECTABLE_HOSTS.filter(({ config }) => !config.programsOnly))(
    'reads back the address and the token that are written for $id (U5)',
    (host) => {
      const remote = { url: 'http://127.0.0.1:7337/mcp', token: 'the-token' };
      expect(read(entryFor(host, remote), { REPERTOIRE_TOKEN: 'the-token' })).toEqual({
        ok: true,
        value: { url: remote.url, headers: { Authorization: 'Bearer the-token' }, unset: undefined },
      });
    },
  );

  test.each([
    [{ httpUrl: 'http://h/mcp' }, 'http://h/mcp'],
    [{ url: 'http://h/mcp', bearer_token_env_var: 'T' }, 'http://h/mcp'],
  ])('knows what people write by hand: %j', (entry, url) => {
    expect(read(toFields(entry), { T: 't' })).toMatchObject({ ok: true, value: { url } });
  });

  test.each([`Bearer \${T}`, `Bearer \${env:T}`, 'Bearer {env:T}'])(
    'fills %s from the variables, or names what is not set',
    (header) => {
      const entry = toFields({ url: 'http://h/mcp', headers: { Authorization: header, Other: 'x' } });
      expect(read(entry, { T: 'secret' })).toMatchObject({
        value: { headers: { Authorization: 'Bearer secret' } },
      });
      expect(read(entry, {})).toMatchObject({ value: { headers: { Other: 'x' }, unset: 'T' } });
    },
  );

  test('fills the address, the words and the variables of a program, too, with defaults (U5)', () => {
    const program = {
      command: `\${BIN}/node`,
      args: ['--root', `\${ROOT:-/skills}`, '{ROOT}', '$ROOT'],
      env: { A: `\${A:-}` },
    };
    expect(read(toFields(program), { BIN: '/bin' })).toMatchObject({
      value: { command: '/bin/node', args: ['--root', '/skills', '{ROOT}', '$ROOT'], variables: { A: '' } },
    });
    expect(read(toFields({ url: `http://\${HOST:-h}/mcp` }), { HOST: 'own.example' })).toMatchObject({
      value: { url: 'http://own.example/mcp' },
    });
    expect(read(toFields(program), {})).toEqual({ ok: false, failure: { unset: 'BIN' } });
  });

  test('fills $NAME for a host that does, and for no other (U5)', () => {
    const target = { url: 'http://h/mcp', headers: { Authorization: 'Bearer $T', Price: '$5' }, unset: undefined };
    const header = (fillsBareNames: boolean, variables: Variables) => {
      const filled = fillTarget(target, variables, { fillsBareNames });
      return filled.ok && filled.value.value;
    };
    expect(header(true, { T: 'secret' })).toMatchObject({ headers: { Authorization: 'Bearer secret', Price: '$5' } });
    expect(header(true, {})).toMatchObject({ headers: { Price: '$5' }, unset: 'T' });
    expect(header(false, { T: 'secret' })).toMatchObject({ headers: { Authorization: 'Bearer $T' } });
    const hosts = CONNECTABLE_HOSTS.filter(({ config }) => config.fillsBareNames);
    expect(hosts.map(({ id }) => id)).toEqual(['gemini-cli']);
  });

  test.each([
    { url: 'http://h/mcp', headers: { Authorization: `Bearer \${input:token}` } },
    { command: 'x', args: [`\${input:token}`] },
    { command: 'x', env: { A: '{file:./secret}' } },
  ])('names what only the host can fill in: %j (U5)', (entry) => {
    expect(read(toFields(entry), {})).toMatchObject({
      ok: false,
      failure: { unknown: expect.stringMatching(/^\$?\{(input:token|file:\.\/secret)\}$/) },
    });
  });

  test('passes on the variables of a program', () => {
    const entry = toFields({ command: 'node', args: ['x', 1], env: { A: '1', B: 2 } });
    expect(read(entry, {})).toMatchObject({ value: { command: 'node', args: ['x'], variables: { A: '1' } } });
  });

  test.each([
    [{ command: 'x', disabled: true }, 'switched-off'],
    [{ url: 'http://h/mcp', enabled: false }, 'switched-off'],
    [{ note: 'x' }, 'entry-unusable'],
    [{ command: [] }, 'entry-unusable'],
  ])('refuses %j as %s', (entry, cause) => {
    expect(read(toFields(entry), {})).toMatchObject({ ok: false, failure: { cause } });
  });
});
