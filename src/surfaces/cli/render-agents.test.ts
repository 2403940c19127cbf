// The table of agents, narrow and wide, and its lines for programs.
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../identity/agents.ts';
import { agentLines, renderAgents } from './render-agents.ts';
import { createPaint } from './terminal/colours.ts';

const NOW = new Date(2026, 0, 31, 12, 0);
const agentOf = (given: Partial<Agent>): Agent => ({
  name: 'billing',
  roles: ['TaskAgent'],
  scopes: [],
  createdAt: NOW,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
  ...given,
});

const AGENTS = [
  agentOf({ name: 'a-rather-long-name-for-an-agent', lastUsedAt: new Date(2026, 0, 31, 9, 5) }),
  agentOf({ roles: ['TaskAgent', 'UserAgent'], scopes: ['log:read'], expiresAt: NOW }),
  agentOf({ name: 'old', revokedAt: NOW, expiresAt: new Date(2026, 3, 1, 0, 0), roles: Array(20).fill('Role') }),
];

describe('renderAgents', () => {
  test('shows each with its state, and its roles below where they do not fit beside it (C)', () => {
    expect(renderAgents(AGENTS, NOW, { paint: createPaint(false), columns: 90 })).toBe(
      [
        'agent                     state    last used         expires           scopes    may act as',
        'a-rather-long-name-for-…  active   2026-01-31 09:05  never             -         TaskAgent',
        'billing                   expired  never             2026-01-31 12:00  log:read',
        '    may act as TaskAgent, UserAgent',
        'old                       revoked  never             2026-04-01 00:00  -',
        `    may act as ${Array(12).fill('Role,').join(' ')}`,
        `               ${Array(8).fill('Role').join(', ')}`,
        '',
      ].join('\n'),
    );
  });

  test('leaves out the last title where there is no room for it (C)', () => {
    const narrow = renderAgents([agentOf({})], NOW, { paint: createPaint(false), columns: 50 });
    expect(narrow).toBe(
      [
        'agent    state   last used  expires  scopes',
        'billing  active  never      never    -',
        '    may act as TaskAgent',
        '',
      ].join('\n'),
    );
  });

  test('paints the state (C)', () => {
    const painted = renderAgents(AGENTS, NOW, { paint: createPaint(true), columns: 90 });
    expect(painted).toMatch(/\x1b\[32mactive/);
    expect(painted).toMatch(/\x1b\[33mexpired/);
  });
});

test('agentLines prints tabs for programs, and nothing that steers a terminal (C)', () => {
  const [line = ''] = agentLines([agentOf({ name: 'a\x1b[31m\tb', scopes: ['log:read'] })], NOW).split('\n');
  expect(line).toBe(`a b\tactive\tTaskAgent\tlog:read\t${NOW.toISOString()}\t\t`);
});
