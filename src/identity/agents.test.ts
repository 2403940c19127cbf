// Which names an agent may have, and which scopes are known (H5).
import { expect, test } from 'vitest';
import { agentNameFault, toScopes } from './agents.ts';

test.each(['TaskAgent', 'billing_agent-2', 'a.b', 'x', 'x'.repeat(64)])('takes the name %s (H5)', (name) => {
  expect(agentNameFault(name)).toBeUndefined();
});

test.each(['', 'x'.repeat(65), 'a b', 'a/b', 'ä', 'a\n', 'log:read', "x'--", 'local', 'Local'])(
  'refuses the name %j with a reason (H5)',
  (name) => {
    expect(agentNameFault(name)).toMatch(/^\S.*\S$/);
  },
);

test.each(['.', '..'])('refuses the name %j, which no client can send as part of a path (H5)', (name) => {
  expect(new URL(`http://h/api/agents/${encodeURIComponent(name)}`).pathname).not.toContain(`/${name}`);
  expect(agentNameFault(name)).toContain('choose another name');
});

test.each(['...', '.a', 'a.', '..a'])('takes the name %j (H5)', (name) => {
  expect(agentNameFault(name)).toBeUndefined();
});

test('keeps the scopes that are known', () => {
  expect(toScopes(['log:write', 'log:read', 'log:read', 7])).toEqual(['log:read']);
});
