// What is written for each host, field for field and in this order; and under which keys.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createEntry, findEntryKeys } from './host-entry.ts';
import { CONNECTABLE_HOSTS, type ConfigScope } from './host-files.ts';

const expected: Readonly<Record<string, Readonly<Record<string, unknown>>>> = JSON.parse(
  readFileSync('tests/fixtures/host-entries.json', 'utf8'),
);
const url = 'https://skills.example/mcp';
const servers = {
  program: { command: 'repertoire', args: ['mcp'] },
  remote: { url, token: undefined },
  token: { url, token: 'T' },
};

describe('createEntry()', () => {
  test('the entries of every host are known', () => {
    expect(Object.keys(expected)).toEqual(CONNECTABLE_HOSTS.map(({ id }) => id).sort());
  });

  test.each(CONNECTABLE_HOSTS)('$id: says what it always said (C)', (host) => {
    for (const scope of ['user', 'project'] as const satisfies readonly ConfigScope[]) {
      for (const [way, server] of Object.entries(servers)) {
        if (host.config.programsOnly && way !== 'program') continue;
        const entry = createEntry(host, server, { scope, keys: [] }, undefined);
        const wanted = expected[host.id]?.[`${scope} ${way}`] ?? expected[host.id]?.[`user ${way}`];
        expect(JSON.stringify(entry), `${scope} ${way}`).toBe(JSON.stringify(wanted));
      }
    }
  });
});

test('findEntryKeys() follows the two layouts of OpenCode (C)', () => {
  const opencode = hostOf('opencode');
  const keysIn = (present: Parameters<typeof findEntryKeys>[2]) => {
    const keys = findEntryKeys(opencode, 'user', present);
    return keys.ok && keys.value.join('.');
  };
  const server = { type: 'local' };
  expect(keysIn({})).toBe('mcp.repertoire');
  expect(keysIn({ mcp: { servers: { a: server } } })).toBe('mcp.servers.repertoire');
  expect(keysIn({ mcp: { servers: { a: server }, b: server } })).toBe('mcp.repertoire');
  expect(keysIn({ mcp: { servers: server } })).toBe('mcp.repertoire');
  const native = createEntry(opencode, servers.program, { scope: 'user', keys: ['mcp', 'servers', 'x'] }, undefined);
  expect(native).not.toHaveProperty('enabled');
});

function hostOf(id: string) {
  const host = CONNECTABLE_HOSTS.find((each) => each.id === id);
  if (host === undefined) throw new Error(`no host ${id}`);
  return host;
}
