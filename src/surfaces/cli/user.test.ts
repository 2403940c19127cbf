// `user` over a store in memory (C, N6).
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { UserStore } from '../../builtin/ports/user-store.ts';
import type { PeopleStore } from '../../identity/people.ts';
import { testSkill } from '../../skills/fixtures/test-skill.ts';
import { createRuntime } from '../../skills/run/runtime.ts';
import { createMemoryPeople } from '../../store/fixtures/memory-people.ts';
import { createMemoryUsers } from '../../store/fixtures/memory-users.ts';
import { createCommandWorld, ELSEWHERE } from './fixtures/command-world.ts';
import type { OptionName } from './options.ts';
import { createPaint } from './terminal/colours.ts';
import { act, parseAsked, peopleLines, renderPeople } from './user.ts';

const NOW = new Date('2026-01-31T12:00:00Z');

const { skills: SKILLS } = createRuntime({
  skills: [
    testSkill({ name: 'task_creation', assignedTo: ['TaskAgent'] }),
    testSkill({ name: 'user_creation', assignedTo: ['UserAgent'] }),
  ],
});

let store: { readonly users: UserStore; readonly people: PeopleStore };
beforeEach(async () => {
  store = createMemoryPeople(createMemoryUsers());
  for (const [name, displayName] of [
    ['ada', 'Ada'],
    ['bob', null],
  ] as const)
    await store.users.create({
      ...{ id: randomUUID(), email: `${name}@example.org`, displayName, createdAt: NOW },
      passwordHash: 'hash',
    });
});

type Values = Readonly<Partial<Record<OptionName, readonly string[]>>>;

async function user(words: readonly string[], values: Values = {}, flags: readonly OptionName[] = []) {
  const world = createCommandWorld({ given: ELSEWHERE, operands: words, flags });
  const context = { ...world.context, values: new Map(Object.entries(values) as [OptionName, readonly string[]][]) };
  const asked = parseAsked(context);
  if (!asked.ok) return { code: 2, stdout: '', stderr: asked.failure };
  const code = await act(asked.value, { people: store.people, skills: SKILLS }, context, NOW);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

const json = async (words: readonly string[], values: Values = {}) =>
  JSON.parse((await user(words, values, ['json'])).stdout);

describe('grant and ungrant', () => {
  test('say what the person has now and what it opens; the same again changes nothing (N6)', async () => {
    for (const _again of [1, 2]) {
      const { code, stdout, stderr } = await user(['grant', 'Ada@Example.org'], {
        role: ['TaskAgent'],
        scope: ['log:read'],
      });
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toBe(
        'ada@example.org may act as TaskAgent and may read the log.\nThey may invoke 1 typed skill: task_creation.\n',
      );
    }
    await user(['grant', 'ada@example.org'], { role: ['UserAgent'], scope: ['skills:approve', 'runs:approve'] });
    expect(await json(['grant', 'ada@example.org'], { role: ['skills:propose'] })).toMatchObject({
      ...{ email: 'ada@example.org', display_name: 'Ada', roles: ['TaskAgent', 'UserAgent'] },
      scopes: ['log:read', 'skills:propose', 'skills:approve', 'runs:approve'],
    });
    expect(await json(['ungrant', 'ada@example.org'], { role: ['TaskAgent'], scope: ['log:read'] })).toMatchObject({
      roles: ['UserAgent'],
    });
    const { stderr } = await user(['ungrant', 'ada@example.org']);
    expect(stderr).toContain('ada@example.org has no roles and no scopes.');
  });

  test('an email of no user is one sentence, exit 1 (N6)', async () => {
    for (const action of ['grant', 'ungrant']) {
      const { code, stderr } = await user([action, 'none@example.org'], { role: ['TaskAgent'] });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Cannot (un)?grant "none@example.org": no user has this email; .*see .*user list.*\n$/);
      expect(stderr.includes('user add none@example.org')).toBe(action === 'grant');
    }
  });

  test('a role that no skill names is granted with a warning (N6, X10)', async () => {
    const { code, stderr } = await user(['grant', 'ada@example.org'], { role: ['TaskAgnet'] });
    expect(code).toBe(0);
    expect(stderr).toContain('Warning: No typed skill names the role "TaskAgnet": did you mean "TaskAgent"?');
    expect(stderr).toContain('--config FILE');
  });
});

test.each([
  [[], {}, 'Command "user" needs an action: list, add, grant or ungrant'],
  [['remove', 'a@b.c'], {}, 'Unknown action "remove"'],
  [['grant'], {}, 'Command "user grant" needs an EMAIL'],
  [['grant', 'a@b.c'], {}, 'Command "user grant" needs something to grant: --role ROLE, --scope SCOPE or both'],
  [['list', 'a@b.c'], {}, 'Unexpected argument "a@b.c"'],
  [['list'], { role: ['A'] }, 'Option --role does not apply to "user list"'],
  [['grant', 'a@b.c'], { role: ['A,B'] }, 'repeat it: --role A --role B'],
  [['grant', 'a@b.c'], { role: ['a b'] }, 'Cannot grant "a@b.c": --role "a b": must have 1 to 64 letters'],
  [
    ['ungrant', 'a@b.c'],
    { scope: ['log:write'] },
    '--scope "log:write": must be one of log:read, skills:propose, skills:approve, runs:approve',
  ],
])('%j with %j is wrong usage, and says so in one line (C, N6)', async (words, values, sentence) => {
  const { code, stdout, stderr } = await user(words, values);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('\n');
});

describe('list', () => {
  test('shows everyone by email, for programs by tabs or as JSON (N6, C)', async () => {
    await user(['grant', 'bob@example.org'], { role: ['TaskAgent'], scope: ['log:read'] });
    const { users } = await json(['list']);
    expect(users).toMatchObject([
      { email: 'ada@example.org', display_name: 'Ada', roles: [], scopes: [], created_at: NOW.toISOString() },
      { email: 'bob@example.org', display_name: null, roles: ['TaskAgent'], scopes: ['log:read'] },
    ]);
    expect(peopleLines(users).split('\n')).toEqual([
      `ada@example.org\tAda\t${users[0].user_id}\t\t\t${NOW.toISOString()}`,
      `bob@example.org\t\t${users[1].user_id}\tTaskAgent\tlog:read\t${NOW.toISOString()}`,
      '',
    ]);
    const shown = renderPeople(users, { paint: createPaint(false), columns: 200 });
    expect(shown).toMatch(
      /^email +name +roles +scopes +created +id\nada@example\.org +Ada +- +- +2026-0[12]-\d\d \d\d:\d\d +/,
    );
  });

  test('says how to create a person where there is none (N6)', async () => {
    store = createMemoryPeople(createMemoryUsers());
    const { code, stdout, stderr } = await user(['list']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('No people yet: add one with');
    expect(stderr).toContain('repertoire user add EMAIL');
  });
});
