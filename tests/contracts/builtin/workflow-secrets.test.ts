// What workflow_coordination keeps out of the log and of messages: the secrets of its steps, wherever they stand (B2).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineSkill } from '../../../src/skills/define/define-skill.ts';
import { secret } from '../../../src/skills/define/secret.ts';
import { out, step, useWorkflows } from './workflow-world.ts';

const { open, run, broken } = useWorkflows();

describe('secrets', () => {
  const leaks = (text: string) => open().said().includes(text);

  test('of an output stay out of the log, also where a later step gets them (B2)', async () => {
    const outputs = await run({ id: 'key', skill: 'vault' }, step('a', `it is ${out('key')}`));
    expect(outputs).toMatchObject({ a: { value: 'it is open-sesame-1234' } });
    expect(leaks('open-sesame')).toBe(false);
  });

  test('stay out of a failure, whose context shows the outputs', async () => {
    const failed = await broken({ id: 'key', skill: 'vault' }, step('a', 1, { code: 'NOT_FOUND' }));
    expect(failed.details).toMatchObject({ outputs: { key: { value: '[redacted]' } } });
    expect(leaks('open-sesame')).toBe(false);
  });

  test('passwords and tokens in the input of a step stay out of the log of the workflow (B2)', async () => {
    const email = 'ada@example.org';
    const steps = [
      { id: 'user', skill: 'user_creation', input: { email, password: 'a password of mine' } },
      { parallel: [{ id: 'check', skill: 'credential_validation', input: { email, password: 'another word' } }] },
    ];
    expect(await run(...steps)).toMatchObject({ check: { valid: false } });
    await open().failure('workflow_coordination', { steps, extra: true });
    expect(leaks('a password of mine') || leaks('another word')).toBe(false);
    expect(leaks(email)).toBe(true);
  });
});

test('no message quotes the input of a step: a password may look like a reference (B2)', async () => {
  const hide = (password: string) => ({
    id: 'b',
    skill: 'user_creation',
    input: { email: 'a@b.c', password, more: [password] },
  });
  for (const password of [`\${Zq9SECRETzq-5}`, out('SECRET'), out('a', 'SECRET'), `\${steps.b.output.SECRET}`]) {
    const { message, details } = await broken(step('a', 1), hide(password));
    expect(message).toContain('holds a reference');
    expect(JSON.stringify([message, details]) + open().said()).not.toContain('SECRET');
  }
});

describe('what the log shows of a step in the input of the workflow', () => {
  const HIDDEN = 'left-right-left';
  const shownOf = async (input: unknown, skill: unknown = 'user_creation') => {
    await open().invoke('workflow_coordination', { steps: [{ id: 'a', skill, input }] });
    const { inputPayload } = open().log.ended.at(-1)?.invocation ?? {};
    expect(open().said()).not.toContain(HIDDEN);
    return (inputPayload as { steps: { input: unknown }[] }).steps[0]?.input;
  };

  test.each<[string, unknown, unknown, unknown?]>([
    ['its own secret', { email: 'a@b.c', password: HIDDEN }, { email: 'a@b.c', password: '[redacted]' }],
    ['a mistyped field', { Password: HIDDEN }, { Password: '[unknown field]' }],
    ['a field inside of one that is not known', { user: { password: HIDDEN } }, { user: '[unknown field]' }],
    ['another name', { pw: HIDDEN }, { pw: '[unknown field]' }],
    ['a field of another type', { email: { pw: HIDDEN } }, { email: { pw: '[unknown field]' } }],
    ['a text instead of an object', HIDDEN, '[unknown field]'],
    ['a list instead of an object', [HIDDEN], '[unknown field]'],
    ['a skill that there is not', { pw: HIDDEN }, '[unknown field]', 'nope'],
    ['a skill that is no name', { pw: HIDDEN }, '[unknown field]', 7],
  ])('%s (B2)', async (_what, input, shown, skill) => {
    expect(await shownOf(input, skill)).toEqual(shown);
  });

  test('the same inside of a workflow in the workflow, in a group, and beside one (B2)', async () => {
    const inner = { id: 'b', skill: 'user_creation', input: { pw: HIDDEN } };
    const shown = { ...inner, input: { pw: '[unknown field]' } };
    expect(
      await shownOf({ steps: [inner, { parallel: [inner], input: { pw: HIDDEN } }] }, 'workflow_coordination'),
    ).toEqual({
      steps: [shown, { parallel: [shown], input: '[unknown field]' }],
    });
  });

  test('and behind task_execution (B2)', async () => {
    await open().invoke('task_execution', { skill_name: 'user_creation', input: { user: { password: HIDDEN } } });
    expect(open().log.ended.at(-1)?.invocation.inputPayload).toMatchObject({ input: { user: '[unknown field]' } });
    expect(open().said()).not.toContain(HIDDEN);
  });
});

describe('secrets of steps inside of steps', () => {
  const lock = defineSkill({
    name: 'lock',
    description: 'Takes a secret.',
    category: 'authentication',
    input: z.object({ combination: secret(z.string()) }),
    output: z.object({}),
    run: () => ({}),
  });
  const inner = { id: 'b', skill: 'lock', input: { combination: 'left-right-left' } };

  test.each([
    ['a step', inner],
    ['a step of a group', { parallel: [inner] }],
    ['a workflow in the workflow', { id: 'a', skill: 'workflow_coordination', input: { steps: [inner] } }],
    ['a step of a workflow that is refused', { ...inner, id: 7 }],
  ])('stay out of the log, marked by whichever skill: %s (B2)', async (_what, stage) => {
    await open([lock]).invoke('workflow_coordination', { steps: [stage] });
    expect(open().log.begun.length).toBeGreaterThan(0);
    expect(open().said()).not.toContain('left-right');
  });

  test('also behind task_execution (B2)', async () => {
    const { invoke, createUser, createTask, said } = open([lock]);
    const user_id = await createUser();
    const input = { task_id: await createTask(user_id), user_id, skill_name: 'lock', input: inner.input };
    expect(
      await invoke('workflow_coordination', { steps: [{ id: 'a', skill: 'task_execution', input }] }),
    ).toMatchObject({
      success: true,
    });
    expect(said()).not.toContain('left-right');
  });
});
