// workflow_coordination: order, references, authority, faults before anything runs, failures with their context (B4, X5, X6).
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnySkill, defineSkill } from '../../../src/execution/define-skill.ts';
import { secret } from '../../../src/execution/secrets/secret.ts';
import { failure } from '../../../src/execution/skill-failure.ts';
import { agentCaller, userCaller } from '../../../src/identity/caller.ts';
import fc from '../../support/property.ts';
import { openPlanning, type Planning } from './planning-world.ts';

const out = (id: string, field = 'value') => `\${steps.${id}.output.${field}}`;

/** What ran, in the order of its begin; `+` begins, `-` ends. */
const events: string[] = [];

const echo = defineSkill({
  name: 'echo',
  description: 'Gives what it gets, after a while.',
  category: 'execution',
  input: z.object({ value: z.unknown(), wait: z.number().optional(), code: z.string().optional() }),
  output: z.object({ value: z.unknown() }),
  failureModes: ['NOT_FOUND', 'RATE_EXCEEDED', 'EXTERNAL_SERVICE_ERROR'],
  async run({ value, wait = 0, code }) {
    events.push(`+${String(value)}`);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    events.push(`-${String(value)}`);
    if (code === 'NOT_FOUND') return failure('NOT_FOUND', { resource: `thing ${String(value)}` });
    if (code === 'RATE_EXCEEDED') return failure('RATE_EXCEEDED', { retry_after: 9 });
    if (code === 'EXTERNAL_SERVICE_ERROR') return failure('EXTERNAL_SERVICE_ERROR');
    if (code === 'THROW') throw new Error('a text for the log');
    return { value: value ?? null };
  },
});

const vault = defineSkill({
  name: 'vault',
  description: 'Gives a secret.',
  category: 'authentication',
  assignedTo: ['AuthAgent'],
  input: z.object({}),
  output: z.object({ value: secret(z.string()) }),
  run: () => ({ value: 'open-sesame-1234' }),
});

let planning: Planning | undefined;
afterEach(async () => {
  await planning?.runtime.close();
  planning = undefined;
  events.length = 0;
});

const open = (skills: readonly AnySkill[] = [echo, vault]): Planning => {
  planning ??= openPlanning({ skills });
  return planning;
};
const step = (id: string, value: unknown, more: object = {}) => ({ id, skill: 'echo', input: { value, ...more } });
const run = async (...steps: readonly unknown[]) => (await open().output('workflow_coordination', { steps })).outputs;
const broken = (...steps: readonly unknown[]) => open().failure('workflow_coordination', { steps });

describe('what runs', () => {
  test('steps run one after the other, those of a group side by side (X6)', async () => {
    await run(
      step('a', 1, { wait: 20 }),
      { parallel: [step('b', 2, { wait: 60 }), step('c', 3, { wait: 20 })] },
      step('d', 4),
    );
    expect(events).toEqual(['+1', '-1', '+2', '+3', '-3', '-2', '+4', '-4']);
  });

  test('references carry outputs on: alone with their type, among words as text (B4)', async () => {
    expect(
      await run(
        step('a', { list: [1, { x: true }], name: 'Ada' }),
        { parallel: [step('b', out('a', 'value.list')), step('c', `Hello, ${out('a', 'value.name')}!`)] },
        step('d', { all: [out('b', 'value[1].x'), out('c')], plain: '$${steps.a.output}' }),
      ),
    ).toMatchObject({
      b: { value: [1, { x: true }] },
      c: { value: 'Hello, Ada!' },
      d: { value: { all: [true, 'Hello, Ada!'], plain: `\${steps.a.output}` } },
    });
  });

  test('a text from an output is never read as a reference: nothing can be smuggled in (B4)', async () => {
    const smuggled = `\${steps.key.output.value}`;
    const outputs = await run(
      { id: 'key', skill: 'vault' },
      step('a', smuggled.replace('$', '$$$$')),
      step('b', out('a')),
      step('c', `<${out('b')}>`),
    );
    expect(outputs).toMatchObject({ b: { value: smuggled }, c: { value: `<${smuggled}>` } });
  });

  test('every step is in the log under one correlation id; the answer names their ids (X6)', async () => {
    const { log, invoke } = open();
    const answer = await invoke('workflow_coordination', { steps: [step('a', 1), { parallel: [step('b', 2)] }] });
    expect(log.ended.map(({ invocation }) => [invocation.skillName, invocation.correlationId])).toEqual([
      ['echo', answer.correlationId],
      ['echo', answer.correlationId],
      ['workflow_coordination', answer.correlationId],
    ]);
    expect(answer.success && answer.outputPayload.steps).toEqual(
      ['a', 'b'].map((id, index) => ({
        id,
        skill: 'echo',
        invocation_id: log.ended[index]?.invocation.id,
        duration_ms: expect.any(Number),
      })),
    );
  });

  test('a step without an input gets an empty one', async () => {
    expect(await run({ id: 'a', skill: 'vault' })).toEqual({ a: { value: 'open-sesame-1234' } });
  });
});

describe('authority', () => {
  test('a step that the caller may not invoke is UNAUTHORIZED inside a workflow, too (X5)', async () => {
    const steps = [step('a', 1), { id: 'key', skill: 'vault' }];
    const as = (...roles: string[]) =>
      open().invoke('workflow_coordination', { steps }, { caller: agentCaller('someone', roles) });
    expect(await as('OrchestratorAgent')).toMatchObject({
      failure: {
        code: 'UNAUTHORIZED',
        message: 'Access denied: step key (vault): this agent is not assigned to the skill; it is for AuthAgent',
        details: { failed_steps: [{ id: 'key', code: 'UNAUTHORIZED' }], completed_steps: ['a'] },
      },
    });
    expect(await as('AuthAgent')).toMatchObject({ failure: { code: 'UNAUTHORIZED' } });
    expect(await as('OrchestratorAgent', 'AuthAgent')).toMatchObject({ success: true });
  });

  test('it is not open to users, and so nothing behind it is (H5)', async () => {
    const user = await open().createUser();
    const input = { steps: [{ id: 'a', skill: 'task_retrieval', input: { user_id: user } }] };
    expect(await open().failure('workflow_coordination', input, { caller: userCaller(user) })).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  test('workflows in workflows end at the depth that steps may have (X6)', async () => {
    let input: object = { steps: [step('a', 'inmost')] };
    for (let depth = 0; depth < 20; depth++) input = { steps: [{ id: 'a', skill: 'workflow_coordination', input }] };
    expect(await open().failure('workflow_coordination', input)).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(events).toEqual([]);
  });
});

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
      'steps[0].id: cannot stand',
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
    ['a field that there is not', { steps: [{ ...step('a', 1), retry: 3 }] }, 'steps[0].retry: is not a known field'],
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

describe('what fails while it runs', () => {
  test('the failure names the step, its code and message, and what was done by then (B4)', async () => {
    expect(await broken(step('a', 1), step('b', 2, { code: 'NOT_FOUND' }), step('c', 3))).toEqual({
      code: 'NOT_FOUND',
      message: 'Resource not found: step b (echo): thing 2',
      details: {
        resource: 'step b (echo): thing 2',
        failed_steps: [
          {
            id: 'b',
            skill: 'echo',
            code: 'NOT_FOUND',
            message: 'Resource not found: thing 2',
            details: { resource: 'thing 2' },
          },
        ],
        completed_steps: ['a'],
        outputs: { a: { value: 1 } },
      },
    });
    expect(events).not.toContain('+3');
  });

  test('in a group all of them end; those that failed are all named', async () => {
    const group = [
      step('a', 1, { code: 'RATE_EXCEEDED' }),
      step('b', 2, { wait: 20 }),
      step('c', 3, { code: 'THROW' }),
    ];
    expect(await broken({ parallel: group }, step('d', 4))).toMatchObject({
      code: 'RATE_EXCEEDED',
      message: 'Rate limit exceeded. Retry after 9s',
      details: {
        retry_after: 9,
        failed_steps: [
          { id: 'a', code: 'RATE_EXCEEDED' },
          { id: 'c', code: 'INTERNAL_ERROR' },
        ],
        completed_steps: ['b'],
      },
    });
    expect(events).toContain('-2');
    expect(events).not.toContain('+4');
  });

  test.each(['x', 'value.x', 'value[3]', '__proto__', 'constructor', 'value.length'])(
    'a reference to a field that is not there: %s (B4)',
    async (field) => {
      const { code, message } = await broken(step('a', [1]), step('b', out('a', field)));
      expect(code).toBe('VALIDATION_ERROR');
      expect(message).toContain('failed: step b (echo): value: holds a reference that stands for nothing');
    },
  );

  test('outputs that are too large together end it with a sentence', async () => {
    const large = step('a', 'x'.repeat(900_000));
    const more = ['b', 'c', 'd', 'e'].map((id) => step(id, out('a')));
    expect(await broken(large, ...more)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('larger than 4 MB together'),
      details: { outputs: { a: '[too large to show]' } },
    });
  });

  test('a cancelled workflow begins no further step', async () => {
    const { invoke } = open();
    const signal = AbortSignal.timeout(30);
    const answer = await invoke(
      'workflow_coordination',
      { steps: [step('a', 1, { wait: 100 }), step('b', 2)] },
      { signal },
    );
    expect(answer).toMatchObject({ failure: { details: { cancelled: true } } });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(events).not.toContain('+2');
  });
});

/** Stages of random sizes; every step adds up what it refers to, and one of its own. */
const workflows = fc.array(fc.array(fc.array(fc.nat(100), { maxLength: 4 }), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
});

test('any workflow that looks back alone runs, and each step gets what its references stand for (property)', async () => {
  const add = defineSkill({
    name: 'add',
    description: 'Adds numbers, and one.',
    category: 'execution',
    input: z.object({ numbers: z.array(z.number()) }),
    output: z.object({ sum: z.number() }),
    run: ({ numbers }) => ({ sum: numbers.reduce((sum, n) => sum + n, 1) }),
  });
  const { output } = open([add]);
  await fc.assert(
    fc.asyncProperty(workflows, async (stages) => {
      const expected: number[] = [];
      const steps = stages.map((group) => {
        const before = expected.length;
        const made = group.map((picks) => {
          const used = before === 0 ? [] : picks.map((pick) => pick % before);
          const id = `s${expected.length}`;
          expected.push(used.reduce((sum, at) => sum + (expected[at] ?? 0), 1));
          return { id, skill: 'add', input: { numbers: used.map((at) => `\${steps.s${at}.output.sum}`) } };
        });
        return made.length === 1 ? made[0] : { parallel: made };
      });
      const { outputs } = await output('workflow_coordination', { steps });
      expect(outputs).toEqual(Object.fromEntries(expected.map((sum, at) => [`s${at}`, { sum }])));
    }),
    { numRuns: 60 },
  );
});

test('whatever comes as a workflow, the answer is a success or VALIDATION_ERROR, never a fault of ours (property)', async () => {
  const { invoke, lines } = open();
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'b', 'echo', out('a'), out('b', '__proto__'), '${', '$${', '${steps.'),
  );
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value')),
      tie('object'),
    ),
    object: fc.dictionary(
      fc.oneof(fc.constantFrom('steps', 'parallel', 'id', 'skill', 'input', 'value'), fc.string()),
      tie('value'),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(fc.array(anything.object), async (steps) => {
      const answer = await invoke('workflow_coordination', { steps });
      expect(answer.success ? 'VALIDATION_ERROR' : answer.failure.code).toBe('VALIDATION_ERROR');
      expect(lines).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
