// workflow_coordination: order, references, authority, failures with their context, and properties of any workflow (B4, X5, X6).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentCaller, userCaller } from '../../../src/identity/caller.ts';
import { defineSkill } from '../../../src/skills/define/define-skill.ts';
import { failure } from '../../../src/skills/define/failure.ts';
import { createLatch } from '../../support/latch.ts';
import fc from '../../support/property.ts';
import { createEcho, out, step, useWorkflows } from './workflow-world.ts';

const { events, open, run, broken } = useWorkflows();

describe('what runs', () => {
  test('steps run one after the other, those of a group side by side (X6)', async () => {
    await run(
      step('a', 1, { after: '+1' }),
      { parallel: [step('b', 2, { after: '-3' }), step('c', 3, { after: '+2' })] },
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
  test('a step that the caller may not invoke is UNAUTHORIZED inside a workflow, too, with the roles that would do (X5) (X10) (M4)', async () => {
    const steps = [step('a', 1), { id: 'key', skill: 'vault' }];
    const as = (...roles: string[]) =>
      open().invoke('workflow_coordination', { steps }, { caller: agentCaller('someone', roles) });
    expect(await as('OrchestratorAgent')).toMatchObject({
      failure: {
        code: 'UNAUTHORIZED',
        message:
          'Access denied: step key (vault): this agent is not assigned to the skill; it needs the role AuthAgent',
        details: {
          failed_steps: [{ id: 'key', skill: 'vault', code: 'UNAUTHORIZED', details: { roles: ['AuthAgent'] } }],
          completed_steps: ['a'],
        },
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

  const nested = (levels: number, skill = 'workflow_coordination'): object =>
    levels === 1
      ? { steps: [step('a', 'inmost')] }
      : { steps: [{ id: `s${levels}`, skill, input: nested(levels - 1, skill) }] };

  test('workflows go four deep, and what is deeper is refused before anything runs, naming the step (X6)', async () => {
    expect(await open().invoke('workflow_coordination', nested(4))).toMatchObject({ success: true });
    expect(events.splice(0)).toEqual(['+inmost', '-inmost']);
    const { log } = open();
    const before = log.begun.length;
    for (const levels of [5, 20]) {
      expect(await open().failure('workflow_coordination', nested(levels))).toMatchObject({
        code: 'VALIDATION_ERROR',
        message:
          'Input validation failed: steps[0].input.steps[0].input.steps[0].input.steps[0].skill: ' +
          `step "s${levels - 3}" is a workflow inside 4 others; workflows go at most 4 deep, the outermost counted`,
      });
    }
    expect(log.begun).toHaveLength(before + 2);
    expect(events).toEqual([]);
  });

  test('they go four deep also where another skill runs them (X6)', async () => {
    const between = defineSkill({
      name: 'between',
      description: 'Runs a workflow that it is handed.',
      category: 'execution',
      input: z.looseObject({}),
      output: z.looseObject({}),
      failureModes: ['VALIDATION_ERROR'],
      async run(workflow, { invoke }) {
        const answer = await invoke('workflow_coordination', workflow);
        return answer.success ? answer.outputPayload : failure('VALIDATION_ERROR', { details: answer.failure.message });
      },
    });
    const { invoke, failure: failed } = open([between, createEcho(events)]);
    expect(await invoke('workflow_coordination', nested(4, 'between'))).toMatchObject({ success: true });
    expect(events.splice(0)).toEqual(['+inmost', '-inmost']);
    const { code, message } = await failed('workflow_coordination', nested(5, 'between'));
    expect(code).toBe('VALIDATION_ERROR');
    expect(message).toContain('step s2 (between): ');
    expect(message).toContain('workflows go at most 4 deep, the outermost counted');
    expect(events).toEqual([]);
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
        skipped_steps: [],
        outputs: { a: { value: 1 } },
      },
    });
    expect(events).not.toContain('+3');
  });

  test('in a group all of them end; those that failed are all named', async () => {
    const group = [
      step('a', 1, { code: 'RATE_EXCEEDED' }),
      step('b', 2, { after: '-3' }),
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
    const client = new AbortController();
    const held = createLatch();
    const deaf = defineSkill({
      name: 'echo',
      description: 'Hears nothing, until it is told to finish.',
      category: 'execution',
      input: z.object({ value: z.number() }),
      output: z.object({ value: z.number() }),
      run: async ({ value }) => {
        events.push(`+${String(value)}`);
        client.abort();
        await held.opened;
        events.push(`-${String(value)}`);
        return { value };
      },
    });
    const { invoke, runtime } = open([deaf]);
    const steps = [step('a', 1), step('b', 2)];
    const answer = await invoke('workflow_coordination', { steps }, { signal: client.signal });
    expect(answer).toMatchObject({ failure: { details: { cancelled: true } } });
    held.open();
    await expect.poll(() => events).toContain('-1');
    await runtime.close();
    expect(events).toEqual(['+1', '-1']);
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
    fc.constantFrom('a', 'b', 'echo', out('a'), out('b', '__proto__'), '${', '$${', '${steps.', `\${item}`),
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
      fc.oneof(
        fc.constantFrom('steps', 'parallel', 'id', 'skill', 'input', 'value', 'for_each', 'when', 'retry', 'attempts'),
        fc.string(),
      ),
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
