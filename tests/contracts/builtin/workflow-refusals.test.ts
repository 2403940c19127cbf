// What workflow_coordination refuses before anything runs, each with its place in the input (X5).
import { describe, expect, test } from 'vitest';
import { out, step, useWorkflows } from './workflow-world.ts';

const { events, open, run, broken } = useWorkflows();

describe('what is refused before anything runs (X5)', () => {
  const FAULTS: readonly [string, unknown, ...string[]][] = [
    ['no steps', { steps: [] }, 'steps: '],
    ['no list', {}, 'steps: is required'],
    ['a step that is no object', { steps: [7] }, 'steps[0]: '],
    ['a step without id and skill', { steps: [{}] }, 'steps[0].id: is required', 'steps[0].skill: is required'],
    [
      'a step of a group without id',
      { steps: [{ parallel: [{ skill: 'echo' }] }] },
      'steps[0].parallel[0].id: is required',
    ],
    ['an empty group', { steps: [{ parallel: [] }] }, 'steps[0].parallel: '],
    [
      'a step that is a group, too',
      { steps: [{ ...step('a', 1), parallel: [step('b', 1)] }] },
      'steps[0].id: cannot be used',
    ],
    [
      'a group in a group',
      { steps: [{ parallel: [{ parallel: [step('a', 1)] }] }] },
      'steps[0].parallel[0].parallel: is not',
    ],
    [
      'an id twice',
      { steps: [step('a', 1), { parallel: [step('a', 2)] }] },
      'steps[1].parallel[0].id: "a" is the id of',
    ],
    ['an unknown skill', { steps: [{ id: 'a', skill: 'nope' }] }, 'steps[0].skill: there is no skill "nope"'],
    ['an id that is no name', { steps: [step('__proto__', 1)] }, 'steps[0].id: must be a letter'],
    [
      'an unknown step',
      { steps: [step('a', out('b'))] },
      'steps[0].input.value: holds a reference to a step that there is not',
    ],
    [
      'a step itself',
      { steps: [step('a', [out('a')])] },
      'steps[0].input.value[0]: holds a reference to a step that does not come before',
    ],
    [
      'a later step',
      { steps: [step('a', out('b')), step('b', 1)] },
      'steps[0].input.value: holds a reference to a step that does not come before',
    ],
    [
      'a circle',
      { steps: [step('a', out('b')), step('b', out('a'))] },
      'steps[0].input.value: holds a reference to a step that does not come before this one',
    ],
    [
      'a neighbour in the group',
      { steps: [{ parallel: [step('a', 1), step('b', out('a'))] }] },
      'steps[0].parallel[1].input.value: holds a reference to a step that does not come before',
    ],
    [
      'another root',
      { steps: [step('a', `\${env.HOME}`)] },
      'steps[0].input.value: holds a reference that cannot be read',
    ],
    ['no end', { steps: [step('a', `\${steps.a`)] }, 'steps[0].input.value: holds a reference that cannot be read'],
    ['a field that there is not', { steps: [{ ...step('a', 1), again: 3 }] }, 'steps[0].again: is not a known field'],
    ['a retry that is no object', { steps: [{ ...step('a', 1), retry: 3 }] }, 'steps[0].retry: must be an object'],
    ['no attempt', { steps: [{ ...step('a', 1), retry: { attempts: 0 } }] }, 'steps[0].retry.attempts: '],
    ['six attempts', { steps: [{ ...step('a', 1), retry: { attempts: 6 } }] }, 'steps[0].retry.attempts: '],
    [
      'trying again what is fatal',
      { steps: [{ ...step('a', 1), retry: { attempts: 2, codes: ['UNAUTHORIZED'] } }] },
      'steps[0].retry.codes[0]: ',
    ],
    [
      'a list that is no reference',
      { steps: [{ ...step('a', 1), for_each: 'a' }] },
      'steps[0].for_each: must be one reference',
    ],
    [
      'a list with words around it',
      { steps: [step('a', [1]), { ...step('b', 1), for_each: ` ${out('a')}` }] },
      'steps[1].for_each: must be one reference',
    ],
    [
      'a list of a later step',
      { steps: [{ ...step('a', 1), for_each: out('b') }, step('b', [1])] },
      'steps[0].for_each: holds a reference to a step that does not come before',
    ],
    [
      'a list that is an item',
      { steps: [{ ...step('a', 1), for_each: `\${item.list}` }] },
      `steps[0].for_each: holds \${item}, which a step has only with for_each`,
    ],
    [
      'an item without a list',
      { steps: [step('a', `\${item}`)] },
      `steps[0].input.value: holds \${item}, which a step has only with for_each`,
    ],
    [
      'a condition that is no reference',
      { steps: [{ ...step('a', 1), when: 'true' }] },
      'steps[0].when: must be one reference',
    ],
    [
      'a condition on what stands beside it',
      { steps: [{ parallel: [step('a', true), { ...step('b', 1), when: out('a') }] }] },
      'steps[0].parallel[1].when: holds a reference to a step that does not come before',
    ],
    [
      'a condition beside a group',
      { steps: [step('a', true), { when: out('a'), parallel: [step('b', 1)] }] },
      'steps[1].when: cannot be used with parallel',
    ],
    [
      'a skill that is half a reference',
      { steps: [step('a', 'cho'), { id: 'b', skill: `e${out('a')}` }] },
      'steps[1].skill: must be one reference',
    ],
    [
      'a skill of an unknown step',
      { steps: [{ id: 'b', skill: out('a') }] },
      'steps[0].skill: holds a reference to a step that there is not',
    ],
    ['an input that is no object', { steps: [{ id: 'a', skill: 'echo', input: 'x' }] }, 'steps[0].input: '],
  ];

  test.each(FAULTS)('%s', async (_what, workflow, ...said) => {
    const { code, message } = await open().failure('workflow_coordination', workflow);
    expect(code).toBe('VALIDATION_ERROR');
    for (const text of said) expect(message).toContain(text);
    expect(events).toEqual([]);
  });

  test('all of it at once', async () => {
    const { details } = await broken(
      { id: 5, skill: 'nope' },
      step('b', [out('c'), `\${x}`]),
      step('b', 1, { extra: 1 }),
    );
    expect(details).toMatchObject({
      violations: [
        'steps[0].id',
        'steps[2].id',
        'steps[0].skill',
        'steps[1].input.value[0]',
        'steps[1].input.value[1]',
      ].map((path) => ({ path })),
    });
  });

  test('fifty steps are allowed, fifty-one are not', async () => {
    const steps = Array.from({ length: 50 }, (_, n) => step(`s${n}`, n));
    expect(Object.keys((await run(...steps)) as object)).toHaveLength(50);
    expect(await broken({ parallel: steps }, step('more', 1))).toMatchObject({
      message: 'Input validation failed: steps: are 51 together; at most 50 are allowed',
    });
  });
});

describe('what would take long is refused before it is looked at one by one', () => {
  const group = (count: number) => ({ parallel: Array.from({ length: count }, () => ({})) });

  test.each([
    ['steps', { steps: Array.from({ length: 20_000 }, () => ({})) }, 'steps: must have at most 50 items'],
    ['steps of a group', { steps: [group(20_000)] }, 'steps[0].parallel: must have at most 50 items'],
    [
      'references',
      { steps: [step('a', ['${'.repeat(600), '${'.repeat(600)])] },
      'steps: hold more than 1000 references',
    ],
  ])('%s', async (_what, workflow, said) => {
    const { message, details } = await open().failure('workflow_coordination', workflow);
    expect(message).toContain(said);
    const { violations } = details as { readonly violations: readonly unknown[] };
    expect(violations.length).toBeLessThanOrEqual(100);
  });

  test('a thousand references are read, and plain marks do not count', async () => {
    const text = out('a').repeat(1_000) + '$${'.repeat(5_000);
    expect(await run(step('a', 1), step('b', text))).toMatchObject({
      b: { value: '1'.repeat(1_000) + '${'.repeat(5_000) },
    });
  });
});
