// An entry read back: whatever `connect` writes for a host, and what people write by hand.
import { describe, expect, test } from 'vitest';
import { createFields, toFields } from '../connect/fields.ts';
import { createEntry, findEntryKeys } from '../connect/host-entry.ts';
import { CONNECTABLE_HOSTS, type ConnectableHost } from '../connect/host-files.ts';
import { readTarget } from './read-target.ts';

function entryFor(host: ConnectableHost, server: Parameters<typeof createEntry>[1]) {
  const keys = findEntryKeys(host, 'user', createFields([]));
  if (!keys.ok) throw new Error(keys.failure);
  return createEntry(host, server, { scope: 'user', keys: keys.value }, undefined);
}

describe('readTarget', () => {
  test.each(CONNECTABLE_HOSTS)('reads back the program that is written for $id (U5)', (host) => {
    const program = { command: 'node', args: ['/a b/cli.js', 'mcp', '--root', '/skills'] };
    expect(readTarget(entryFor(host, program), {})).toEqual({ ok: true, value: { ...program, variables: {} } });
  });

  test.each(CONNECTABLE_HOSTS.filter(({ config }) => !config.programsOnly))(
    'reads back the address and the token that are written for $id (U5)',
    (host) => {
      const remote = { url: 'http://127.0.0.1:7337/mcp', token: 'the-token' };
      expect(readTarget(entryFor(host, remote), { REPERTOIRE_TOKEN: 'the-token' })).toEqual({
        ok: true,
        value: { url: remote.url, headers: { Authorization: 'Bearer the-token' }, unset: undefined },
      });
    },
  );

  test.each([
    [{ httpUrl: 'http://h/mcp' }, 'http://h/mcp'],
    [{ url: 'http://h/mcp', bearer_token_env_var: 'T' }, 'http://h/mcp'],
  ])('knows what people write by hand: %j', (entry, url) => {
    const read = readTarget(toFields(entry), { T: 't' });
    expect(read).toMatchObject({ ok: true, value: { url } });
  });

  test.each(['$', '$env:', 'env:'].map((start) => `Bearer ${start.replace(/^\$?/, '$&{')}T}`))(
    'fills %s from the variables, or names what is not set',
    (header) => {
      const entry = toFields({ url: 'http://h/mcp', headers: { Authorization: header, Other: 'x' } });
      expect(readTarget(entry, { T: 'secret' })).toMatchObject({
        value: { headers: { Authorization: 'Bearer secret' } },
      });
      expect(readTarget(entry, {})).toMatchObject({ value: { headers: { Other: 'x' }, unset: 'T' } });
    },
  );

  test('passes on the variables of a program', () => {
    const entry = toFields({ command: 'node', args: ['x', 1], env: { A: '1', B: 2 } });
    expect(readTarget(entry, {})).toMatchObject({ value: { command: 'node', args: ['x'], variables: { A: '1' } } });
  });

  test.each([
    [{ command: 'x', disabled: true }, 'switched-off'],
    [{ url: 'http://h/mcp', enabled: false }, 'switched-off'],
    [{ note: 'x' }, 'entry-unusable'],
    [{ url: 'not an address' }, 'entry-unusable'],
    [{ command: [] }, 'entry-unusable'],
  ])('refuses %j as %s', (entry, cause) => {
    expect(readTarget(toFields(entry), {})).toMatchObject({ ok: false, failure: { cause } });
  });
});
