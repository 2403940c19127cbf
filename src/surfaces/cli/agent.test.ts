// `agent` over a store in memory (C, H5).
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Agent, AgentStore } from '../../identity/agents.ts';
import { createAgent } from '../../identity/new-agent.ts';
import { AGENT_TOKEN, digestOf } from '../../identity/token.ts';
import { agentJson } from '../../operations/agents.ts';
import { testSkill } from '../../skills/fixtures/test-skill.ts';
import { createRuntime } from '../../skills/run/runtime.ts';
import { createMemoryAgentStore } from '../../store/fixtures/memory-identities.ts';
import { act, agentLines, parseAsked, renderAgents, run } from './agent.ts';
import { createCommandWorld, ELSEWHERE } from './fixtures/command-world.ts';
import type { OptionName } from './options.ts';
import { createPaint } from './terminal/colours.ts';

const NOW = new Date('2026-01-31T12:00:00Z');

const { skills: SKILLS } = createRuntime({
  skills: [
    testSkill({ name: 'task_creation', assignedTo: ['TaskAgent'] }),
    testSkill({ name: 'task_deletion', assignedTo: ['TaskAgent'] }),
    testSkill({ name: 'user_creation', assignedTo: ['UserAgent'] }),
  ],
});

let agents: AgentStore;
beforeEach(() => {
  agents = createMemoryAgentStore();
});

const NO_CLIENTS = { list: async () => [], revokeClient: async () => false };

type Values = Readonly<Partial<Record<OptionName, readonly string[]>>>;

async function agent(
  words: readonly string[],
  values: Values = {},
  flags: readonly OptionName[] = [],
  documentRoles: readonly string[] = [],
) {
  const world = createCommandWorld({ given: ELSEWHERE, operands: words, flags });
  const context = { ...world.context, values: new Map(Object.entries(values) as [OptionName, readonly string[]][]) };
  const asked = parseAsked(context);
  if (!asked.ok) return { code: 2, stdout: '', stderr: asked.failure };
  const code = await act(
    asked.value,
    { agents, oauthClients: NO_CLIENTS, skills: SKILLS, documentRoles },
    context,
    NOW,
  );
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test.each(['.', '..'])('revokes an agent called %s that an earlier version let in (H5)', async (name) => {
  const { agent: made } = createAgent({ name, roles: [], scopes: [], expiresAt: undefined }, NOW);
  await agents.add(made, 'local');
  expect(await agent(['revoke', name])).toMatchObject({ code: 0 });
  expect(await agents.list()).toMatchObject([{ name, revokedAt: expect.any(Date) }]);
});

describe('add', () => {
  test('prints the token alone, says the rest beside it, and keeps only its digest (H5, C)', async () => {
    const { code, stdout, stderr } = await agent(['add', 'TaskAgent']);
    const token = stdout.trimEnd();
    expect(code).toBe(0);
    expect(token).toMatch(AGENT_TOKEN);
    expect(stderr).toBe(
      [
        'Agent "TaskAgent" may act as TaskAgent.',
        'It may invoke 2 typed skills: task_creation, task_deletion.',
        'It is stored in PostgreSQL: servers that use this store accept it.',
        'The token is shown only once. Send it as: Authorization: Bearer TOKEN\n',
      ].join('\n'),
    );
    expect(stderr).not.toContain(token);
    expect(JSON.stringify(await agents.list())).not.toContain(token.slice(4));
    expect(await agents.findByDigest(digestOf(token))).toMatchObject({ name: 'TaskAgent', roles: ['TaskAgent'] });
  });

  test('prints { name, token } exactly with --json, and nothing else (C)', async () => {
    const { stdout, stderr } = await agent(['add', 'TaskAgent'], {}, ['json']);
    expect(JSON.parse(stdout)).toEqual({ name: 'TaskAgent', token: expect.stringMatching(AGENT_TOKEN) });
    expect(stderr).toBe('');
  });

  test.each([
    [
      'roles, each once',
      { role: ['TaskAgent', 'AIAgent', 'TaskAgent'] },
      { roles: ['TaskAgent', 'AIAgent'], scopes: [] },
    ],
    ['a scope', { scope: ['log:read'] }, { roles: ['billing'], scopes: ['log:read'] }],
    ['a scope written as a role', { role: ['log:read'] }, { roles: ['billing'], scopes: ['log:read'] }],
    [
      'both, and an end',
      { role: ['TaskAgent', 'log:read'], expires: ['90d'] },
      { roles: ['TaskAgent'], scopes: ['log:read'], expiresAt: new Date('2026-05-01T12:00:00Z') },
    ],
  ])('takes %s (H5)', async (_what, values, kept) => {
    expect((await agent(['add', 'billing'], values)).code).toBe(0);
    expect(await agents.list()).toMatchObject([{ name: 'billing', ...kept }]);
  });

  test('says rights and end (H5)', async () => {
    const { stderr } = await agent(['add', 'b'], { role: ['X', 'Y'], scope: ['log:read'], expires: ['1h'] });
    expect(stderr).toContain('Agent "b" may act as X, Y and may read the log, until 2026-01-31T13:00:00.000Z.\n');
  });

  test.each([
    ['the nearest role', ['TaskAgnt'], 'No typed skill names the role "TaskAgnt": did you mean "TaskAgent"?'],
    ['all of them', ['NopeRole'], 'No typed skill names the role "NopeRole": they name TaskAgent, UserAgent'],
  ])('warns of a role that no skill names, with %s (X10) (M4)', async (_what, role, warning) => {
    const { code, stdout, stderr } = await agent(['add', 'billing'], { role });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rpa_\S+\n$/);
    expect(stderr).toContain('It may read documents, but not invoke typed skills.\n');
    expect(stderr).toContain(`Warning: ${warning}\nYour own typed skills are not included: add --config FILE`);
    await agent(['revoke', 'billing']);
    expect(stderr).toContain(
      'To give it other roles, revoke it and add it again: `repertoire agent revoke billing`, then `repertoire agent add billing --role ROLE`\n',
    );
    const asJson = await agent(['add', 'billing'], { role }, ['json']);
    expect(Object.keys(JSON.parse(asJson.stdout))).toEqual(['name', 'token']);
    expect(asJson.stderr).toContain(`Warning: ${warning}\n`);
  });

  test('without a role does not warn of its own name, and says how to give it one (X10)', async () => {
    const { stderr } = await agent(['add', 'billing']);
    expect(stderr).not.toContain('Warning');
    expect(stderr).not.toContain('names the role');
    expect(stderr).toContain(
      'No role was given: it acts as "billing", its own name\nYour own typed skills are not included',
    );
    expect(stderr).toContain('then `repertoire agent add billing --role ROLE`\n');
    expect((await agent(['add', 'mute'], {}, ['json'])).stderr).toBe('');
  });

  test('knows a role that only document skills are limited to (N4, X10)', async () => {
    const documentRoles = ['Keeper'];
    const added = await agent(['add', 'billing'], { role: ['Keeper'] }, [], documentRoles);
    expect(added.stderr).not.toContain('Warning');
    const slip = await agent(['add', 'other'], { role: ['Keper'] }, [], documentRoles);
    expect(slip.stderr).toContain('Warning: No skill names the role "Keper": did you mean "Keeper"?\n');
  });

  test('with the role * opens every typed skill, and no scope (X10)', async () => {
    const { stderr } = await agent(['add', 'all'], { role: ['*'] });
    expect(stderr).toContain('It may invoke every typed skill.\n');
    expect(stderr).not.toContain('Warning');
    expect(await agents.list()).toMatchObject([{ roles: ['*'], scopes: [] }]);
    expect((await agent(['add', 'x'], { role: ['Task*'] })).code).toBe(2);
    expect((await agent(['add', '*'])).code).toBe(2);
  });

  test('refuses a name that is taken, until it is revoked (H5, C)', async () => {
    await agent(['add', 'x']);
    const sentence = 'Cannot add agent "x": an agent of this name exists; revoke it first: repertoire agent revoke x\n';
    expect(await agent(['add', 'x'])).toEqual({ code: 1, stdout: '', stderr: sentence });
    await agent(['revoke', 'x']);
    expect((await agent(['add', 'x'])).code).toBe(0);
  });
});

test('advice names the program as it is started here, and the store that was asked (U5)', async () => {
  const { context } = createCommandWorld({ operands: ['revoke'], values: { data: './d', config: 'c.ts' } });
  const asked = parseAsked({ ...context, program: () => ['node', '/checkout/dist/cli.js'] });
  expect(asked).toMatchObject({
    failure: expect.stringMatching(
      / for example node \/checkout\/dist\/cli\.js agent revoke TaskAgent --config c\.ts --data \.\/d$/,
    ),
  });
});

describe('list', () => {
  test('says that there are none (C)', async () => {
    const stderr = 'No agents yet: add one with `repertoire agent add NAME`\n';
    expect(await agent(['list'])).toEqual({ code: 0, stdout: '', stderr });
    expect(JSON.parse((await agent(['list'], {}, ['json'])).stdout)).toEqual({ agents: [], clients: [] });
  });

  test('prints all of them as JSON, without a token or a digest (H5, C)', async () => {
    await agent(['add', 'b'], { role: ['X'], scope: ['log:read'], expires: ['1h'] });
    await agent(['add', 'a']);
    await agent(['revoke', 'a']);
    const at = NOW.toISOString();
    expect(JSON.parse((await agent(['list'], {}, ['json'])).stdout)).toEqual({
      agents: [
        {
          name: 'a',
          state: 'revoked',
          roles: ['a'],
          scopes: [],
          created_at: at,
          expires_at: null,
          revoked_at: at,
          last_used_at: null,
        },
        {
          name: 'b',
          state: 'active',
          roles: ['X'],
          scopes: ['log:read'],
          created_at: at,
          expires_at: '2026-01-31T13:00:00.000Z',
          revoked_at: null,
          last_used_at: null,
        },
      ],
      clients: [],
    });
  });
});

test.each([['list'], ['revoke', 'x']])(
  'agent %s says that the folder after --data is not there (C)',
  async (...words) => {
    const data = join(tmpdir(), 'repertoire-no-such-folder');
    const { context, stderr } = createCommandWorld({ operands: words, given: { data }, values: { data } });
    expect(await run(context)).toBe(1);
    expect(stderr()).toBe(`Cannot read the agents: the folder "${data}" does not exist; check the value of --data\n`);
    expect(existsSync(data)).toBe(false);
  },
);

describe('revoke', () => {
  test('says when it counts everywhere; with --json what was done (H5, C)', async () => {
    await agent(['add', 'a']);
    await agent(['add', 'b']);
    const stderr = 'Agent "a" is revoked: servers reject its token within a second\n';
    expect(await agent(['revoke', 'a'])).toEqual({ code: 0, stdout: '', stderr });
    const { stdout } = await agent(['revoke', 'b'], {}, ['json']);
    expect(JSON.parse(stdout)).toEqual({ name: 'b', revoked_at: NOW.toISOString() });
  });

  test('fails where there is no such agent, or not any more (C)', async () => {
    const { code, stderr } = await agent(['revoke', 'nobody']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('Cannot revoke agent "nobody": there is no'),
    });
  });
});

test.each([
  [[], {}, 'Command "agent" needs an action: add, list or revoke'],
  [['frobnicate'], {}, 'Unknown action "frobnicate": use "add", "list" or "revoke"'],
  [['toString'], {}, 'Unknown action "toString"'],
  [['add'], {}, 'Command "agent add" needs a NAME: for example repertoire agent add TaskAgent'],
  [['revoke'], {}, 'Command "agent revoke" needs a NAME'],
  [['list', 'x'], {}, 'Unexpected argument "x": "agent list" takes none'],
  [['list'], { role: ['x'] }, 'Option --role does not apply to "agent list": it is for "agent add"'],
  [['revoke', 'x'], { expires: ['1h'] }, 'Option --expires does not apply to "agent revoke"'],
  [['add', '..'], {}, 'Cannot add agent "..": in a path that is a folder'],
  [['add', 'a b'], {}, 'Cannot add agent "a b": a name has 1 to 64 letters, digits, _ - or .'],
  [['add', ''], {}, 'Cannot add agent ""'],
  [['add', 'local'], {}, 'Cannot add agent "local": that is what the log calls the operator'],
  [
    ['add', 'x'],
    { role: ['a b'] },
    'Cannot add agent "x": --role "a b": must have 1 to 64 letters, digits, _ - or .: a role is',
  ],
  [
    ['add', 'x'],
    { role: ['TaskAgent,UserAgent'] },
    'Option --role takes one role: for several, repeat it: --role TaskAgent --role UserAgent',
  ],
  [['add', 'x'], { role: [','] }, 'Option --role takes one role: for several, repeat it: --role ROLE'],
  [
    ['add', 'x'],
    { scope: ['user'] },
    'Cannot add agent "x": --scope "user": must be one of log:read, skills:propose, skills:approve, runs:approve',
  ],
])('%j with %j is wrong usage, and says so in one line (C)', async (words, values, sentence) => {
  const { code, stdout, stderr } = await agent(words, values);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('\n');
});

const NOON = new Date(2026, 0, 31, 12, 0);
const agentOf = (given: Partial<Agent>) =>
  agentJson(
    {
      name: 'billing',
      roles: ['TaskAgent'],
      scopes: [],
      createdAt: NOON,
      expiresAt: undefined,
      revokedAt: undefined,
      lastUsedAt: undefined,
      ...given,
    },
    NOON,
  );

const AGENTS = [
  agentOf({ name: 'a-rather-long-name-for-an-agent', lastUsedAt: new Date(2026, 0, 31, 9, 5) }),
  agentOf({ roles: ['TaskAgent', 'UserAgent'], scopes: ['log:read'], expiresAt: NOON }),
  agentOf({ name: 'old', revokedAt: NOON, expiresAt: new Date(2026, 3, 1, 0, 0), roles: Array(20).fill('Role') }),
];

describe('renderAgents', () => {
  test('shows each with its state, and its roles below where they do not fit beside it (C)', () => {
    expect(renderAgents(AGENTS, { paint: createPaint(false), columns: 90 })).toBe(
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
    const narrow = renderAgents([agentOf({})], { paint: createPaint(false), columns: 50 });
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
    const painted = renderAgents(AGENTS, { paint: createPaint(true), columns: 90 });
    expect(painted).toMatch(/\x1b\[32mactive/);
    expect(painted).toMatch(/\x1b\[33mexpired/);
  });
});

test('agentLines prints tabs for programs, and nothing that steers a terminal (C)', () => {
  const [line = ''] = agentLines([agentOf({ name: 'a\x1b[31m\tb', scopes: ['log:read'] })]).split('\n');
  expect(line).toBe(`a b\tactive\tTaskAgent\tlog:read\t${NOON.toISOString()}\t\t`);
});
