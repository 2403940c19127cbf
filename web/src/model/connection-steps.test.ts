// How far a host has come, in words.
import { expect, test } from 'vitest';
import { findByName, findConnection, findFirstName, stepsOf } from './connection-steps.ts';
import type { Connection, Host } from './shapes.ts';

const at = '2026-01-01T00:00:00.000Z';

const connectionOf = (client: string, given: Partial<Connection> = {}): Connection => ({
  ...{ caller: { kind: 'agent', name: 'pi' }, client, version: '1.2', connected_at: at, last_seen_at: at },
  ...{ tools: null, first_read: null, ...given },
});

const host = { title: 'Pi', client_names: ['pi-mcp-*', 'pi'] } as const satisfies Partial<Host>;

const find = (...clients: readonly string[]) =>
  findConnection(
    clients.map((client) => connectionOf(client)),
    host as unknown as Host, // nothing else of it is looked at
  )?.client;

test('the host is told from other clients of its token, and a trial by this program counts for nothing (U1)', () => {
  expect(find('curl', 'Pi-MCP-repertoire')).toBe('Pi-MCP-repertoire');
  expect(find('curl', 'wget')).toBe('curl');
  expect(find('repertoire', 'repertoire-connect')).toBeUndefined();
});

test('without tokens a client of another name is not the host (U1)', () => {
  const unknown = { client_names: [] } as unknown as Host;
  const connections = [connectionOf('codex')];
  expect(findByName(connections, host as unknown as Host)).toBeUndefined();
  expect(findByName(connections, unknown)?.client).toBe('codex');
});

test.each([
  [undefined, ['now Waiting for Pi…', 'later Tools listed', 'later First skill read']],
  [{}, ['done Connected: Pi 1.2', 'now Waiting for it to list the tools…', 'later First skill read']],
  [{ version: '', tools: 1 }, ['done Connected: Pi', 'done 1 tool listed', 'now Waiting for it to read a skill…']],
  [
    { tools: 5, first_read: { skill_name: 'x', at } },
    ['done Connected: Pi 1.2', 'done 5 tools listed', 'done First skill read: x'],
  ],
  [
    { first_read: { skill_name: 'x', at } },
    ['done Connected: Pi 1.2', 'now Waiting for it to list the tools…', 'done First skill read: x'],
  ],
])('stepsOf() a connection with %j (U1)', (given, expected) => {
  const connection = given === undefined ? undefined : connectionOf('pi', given);
  expect(stepsOf(connection, host as unknown as Host, 'Pi').map(({ state, text }) => `${state} ${text}`)).toEqual(
    expected,
  );
});

test('stepsOf() calls a client that is not the host by the name it gave (U1)', () => {
  expect(stepsOf(connectionOf('curl'), host as unknown as Host, 'Pi')[0]?.text).toBe('Connected: curl 1.2');
});

test('findFirstName() passes over files that have no name (T2)', () => {
  expect(findFirstName([{ name: null }, { name: 'pdf-forms' }, { name: 'x' }])).toBe('pdf-forms');
  expect(findFirstName([{ name: null }])).toBeUndefined();
});
