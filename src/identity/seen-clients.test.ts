// Which clients came, as whom: each under its own caller, never more than the bounds.
import { expect, test } from 'vitest';
import { agentCaller, LOCAL_OPERATOR } from './caller.ts';
import { createSeenClients, type SeenClientsOptions } from './seen-clients.ts';

const CODE = { name: 'claude-code', version: '2.1.0' };
const CODEX = { name: 'codex', version: '0.1' };

function open(options: Partial<SeenClientsOptions> = {}) {
  let seconds = 0;
  const clients = createSeenClients({ now: () => new Date(1_000 * seconds++), ...options });
  const told: number[] = [];
  const stop = clients.subscribe(() => told.push(told.length));
  return { clients, told, stop };
}

test('a client is told when it connects, lists its tools and reads its first document, and no more often (U1)', () => {
  const { clients, told } = open();
  const agent = agentCaller('one');
  clients.noteHandshake(agent, CODE);
  clients.noteTools(agent, CODE, 5);
  clients.noteRequest(agent, CODE);
  clients.noteRead(agent, 'one', 'sql-review');
  clients.noteRead(agent, 'one', 'another');
  expect(clients.list()).toMatchObject([
    { caller: { kind: 'agent', name: 'one' }, ...CODE, tools: 5, firstRead: { skillName: 'sql-review' } },
  ]);
  expect(told).toHaveLength(3);
});

test('what another caller does is not shown as this one’s, whatever its client is called (U1)', () => {
  const { clients } = open();
  clients.noteHandshake(agentCaller('one'), CODE);
  clients.noteHandshake(agentCaller('two'), CODE);
  clients.noteRead(agentCaller('two'), 'two', 'sql-review');
  // An operator’s client that bears the name of an agent is the operator’s.
  clients.noteHandshake(LOCAL_OPERATOR, { name: 'one', version: '' });
  clients.noteRead(LOCAL_OPERATOR, 'one', 'commit-message');
  const reads = clients.list().map(({ caller, firstRead }) => [caller.kind, caller.name, firstRead?.skillName]);
  expect(reads).toEqual([
    ['operator', 'local', 'commit-message'],
    ['agent', 'two', 'sql-review'],
    ['agent', 'one', undefined],
  ]);
});

test('a new handshake begins anew, and a name that is given away takes nothing along (U1)', () => {
  const { clients } = open();
  const agent = agentCaller('one');
  clients.noteHandshake(agent, CODE);
  clients.noteRead(agent, 'one', 'sql-review');
  clients.noteHandshake(agent, { ...CODE, version: '2.2.0' });
  expect(clients.list()).toMatchObject([{ version: '2.2.0', firstRead: undefined, tools: undefined }]);
  clients.forgetAgent('one');
  expect(clients.list()).toEqual([]);
});

test('a client that never stops renaming itself pushes out its own entries alone (F10)', () => {
  const { clients } = open({ most: 10, mostOfCaller: 3 });
  clients.noteHandshake(agentCaller('quiet'), CODE);
  for (let turn = 0; turn < 50; turn++) {
    clients.noteHandshake(agentCaller('loud'), { name: `client-${turn}`, version: '' });
  }
  const names = clients.list().map(({ name }) => name);
  expect(names).toEqual(['client-49', 'client-48', 'client-47', 'claude-code']);
  for (let turn = 0; turn < 50; turn++) clients.noteHandshake(agentCaller(`agent-${turn}`), CODEX);
  expect(clients.list()).toHaveLength(10);
});

test('names are one safe line, and hold no token', () => {
  const { clients } = open();
  const token = `rpa_${'x'.repeat(43)}`;
  clients.noteRequest(LOCAL_OPERATOR, { name: `a\nb ${token} ${'long'.repeat(500)}`, version: token });
  const [seen] = clients.list();
  expect(JSON.stringify(seen)).not.toContain(token);
  expect(seen?.name.length).toBeLessThanOrEqual(128);
  expect(seen?.name).not.toContain('\n');
});
