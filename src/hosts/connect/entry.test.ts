// What stays of an entry that is there already, and what of it may be shown.
import { describe, expect, test } from 'vitest';
import { maskSecrets, mergeEntry } from './entry.ts';

describe('mergeEntry', () => {
  const wanted = { command: 'node', args: ['mcp'], env: {} };
  const other = { type: 'http', url: 'x', headers: {} };

  test('answers the present entry when it does what is wanted', () => {
    const present = { type: 'stdio', command: 'node', args: ['mcp'], env: { A: 'b' }, timeout: 5 };
    expect(mergeEntry(present, wanted, other)).toBe(present);
  });

  test('drops what belongs to the other way to connect, and keeps the rest', () => {
    const present = { type: 'http', url: 'y', headers: { A: 'b' }, timeout: 5 };
    expect({ ...mergeEntry(present, wanted, other) }).toEqual({ ...wanted, timeout: 5 });
  });

  test('keeps variables that were set by hand', () => {
    expect(mergeEntry({ command: 'old', env: { A: 'b' } }, wanted, other)).toMatchObject({ env: { A: 'b' } });
  });
});

test('maskSecrets() shows no secret whole', () => {
  const secret = 'abcdefghijklmnop1234';
  const masked = maskSecrets({
    url: `https://me:${secret}@x.example/mcp?key=${secret}&a=1`,
    headers: { Authorization: `Bearer ${secret}`, Other: 'short' },
    args: ['--token', secret, `--api-key=${secret}`, '--root', '/r'],
    apiKey: secret,
    bearer_token_env: 'REPERTOIRE_TOKEN',
  });
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(JSON.parse(JSON.stringify(masked))).toEqual({
    url: 'https://…@x.example/mcp?key=…&a=…',
    headers: { Authorization: 'Bearer …1234', Other: '…' },
    args: ['--token', '…1234', '--api-key=…1234', '--root', '/r'],
    apiKey: '…1234',
    bearer_token_env: 'REPERTOIRE_TOKEN',
  });
});
