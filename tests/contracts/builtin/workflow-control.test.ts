// workflow_coordination: lists, conditions, further attempts and skills that an earlier step chose (B4, X5).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentCaller } from '../../../src/identity/caller.ts';
import { type AnySkill, defineSkill, type Progress } from '../../../src/skills/define/define-skill.ts';
import { failure } from '../../../src/skills/define/failure.ts';
import { out, step, useWorkflows } from './workflow-world.ts';

const { events, open, run, broken } = useWorkflows();

const item = (path = '') => `\${item${path}}`;
/** A step that echoes each item of a list. */
const each = (id: string, list: string, value: unknown = item(), more: object = {}) => ({
  ...step(id, value),
  for_each: list,
  ...more,
});

describe('for_each', () => {
  test('runs once for each item, one after the other, and gives the list of outputs (B4, M5)', async () => {
    const outputs = await run(
      step('a', [{ n: 'x' }, { n: 'y' }, { n: 'z' }]),
      each('b', out('a'), item('.n')),
      each('c', `\${steps.b.output}`, `<${item('.value')}>`),
      step('d', [`\${steps.c.output[1].value}`, `\${steps.b.output}`]),
    );
    expect(outputs).toMatchObject({
      b: [{ value: 'x' }, { value: 'y' }, { value: 'z' }],
      c: [{ value: '<x>' }, { value: '<y>' }, { value: '<z>' }],
      d: { value: ['<y>', [{ value: 'x' }, { value: 'y' }, { value: 'z' }]] },
    });
    expect(events.filter((event) => /[xyz]$/.test(event))).toEqual(['+x', '-x', '+y', '-y', '+z', '-z']);
  });

  test('an item keeps its type, and is never read for references again (B4)', async () => {
    const smuggled = '$${steps.a.output}';
    const outputs = await run(step('a', [1, null, { x: [true] }, smuggled]), each('b', out('a')));
    expect(outputs).toMatchObject({
      b: [{ value: 1 }, { value: null }, { value: { x: [true] } }, { value: `\${steps.a.output}` }],
    });
  });

  test('an empty list is run through at once', async () => {
    expect(await run(step('a', []), each('b', out('a')), each('c', `\${steps.b.output}`))).toMatchObject({
      b: [],
      c: [],
    });
  });

  test('in a group the lists are gone through side by side', async () => {
    await run(step('a', [1, 2]), {
      parallel: [
        each('b', out('a'), `b${item()}`, { input: { value: `b${item()}`, after: `+c${item()}` } }),
        each('c', out('a'), `c${item()}`, { input: { value: `c${item()}`, after: `+b${item()}` } }),
      ],
    });
    expect(events.filter((event) => /[bc]\d$/.test(event)).slice(0, 2)).toEqual(['+b1', '+c1']);
  });

  test('every run is in the answer, with its place and its invocation (X6)', async () => {
    const { output, log } = open();
    const { steps, skipped } = await output('workflow_coordination', {
      steps: [step('a', [5, 6]), each('b', out('a'))],
    });
    const ids = log.ended.map(({ invocation }) => invocation.id);
    expect(steps).toEqual([
      { id: 'a', skill: 'echo', invocation_id: ids[0], duration_ms: expect.any(Number) },
      { id: 'b', skill: 'echo', invocation_id: ids[1], duration_ms: expect.any(Number), item: 0 },
      { id: 'b', skill: 'echo', invocation_id: ids[2], duration_ms: expect.any(Number), item: 1 },
    ]);
    expect(skipped).toEqual([]);
  });

  test('an item that fails is named and ends it; what the items before gave is in the details (B4)', async () => {
    const list = [{ n: 1 }, { n: 2, code: 'NOT_FOUND' }, { n: 3 }];
    const input = { value: item('.n'), code: item('.code') };
    const faults = await broken(
      step(
        'a',
        list.map((one) => ({ code: '', ...one })),
      ),
      each('b', out('a'), 0, { input }),
      step('c', 9),
    );
    expect(faults).toMatchObject({
      code: 'NOT_FOUND',
      message: 'Resource not found: step b (echo), item 2: thing 2',
      details: {
        failed_steps: [{ id: 'b', skill: 'echo', item: 1, code: 'NOT_FOUND' }],
        completed_steps: ['a'],
        outputs: { b: [{ value: 1 }] },
      },
    });
    expect(events).not.toContain('+3');
    expect(events).not.toContain('+9');
  });

  test.each([
    ['a text', 'abc', 'for_each: stands for a text, not for a list'],
    ['an object', { a: 1 }, 'for_each: stands for an object, not for a list'],
    ['null', null, 'for_each: stands for null, not for a list'],
    ['101 items', Array(101).fill(0), 'for_each: stands for 101 items; at most 100 are allowed'],
  ])('%s is refused, and the step named (B4)', async (_what, value, said) => {
    expect(await broken(step('a', value), each('b', out('a')))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `Input validation failed: step b (echo): ${said}`,
    });
  });

  test('nothing of a stage begins when an item lacks a field (B4)', async () => {
    expect(await broken(step('a', [{ n: 1 }, {}]), each('b', out('a'), item('.n')))).toMatchObject({
      message:
        'Input validation failed: step b (echo), item 2: value: holds a reference that stands for nothing: ' +
        'there is no such field in the item',
      details: { failed_steps: [{ id: 'b', item: 1 }] },
    });
    expect(events).toEqual(['+[object Object],[object Object]', '-[object Object],[object Object]']);
  });

  test('a workflow runs at most 500 steps, however many lists there are (B4)', async () => {
    const lists = Array.from({ length: 5 }, (_, index) => each(`s${index}`, out('a')));
    expect(await broken(step('a', Array(100).fill(0)), ...lists)).toMatchObject({
      message:
        'Input validation failed: step s4 (echo): the workflow would run more than 500 steps; ' +
        'items of lists, further attempts and the steps of workflows inside it count, too',
    });
  });

  test('the steps of workflows inside it count, too, and what is too much is refused before it runs (B4)', async () => {
    const list = Array(100).fill(0);
    // References of the workflow inside are written with $${: those of the outer one are filled in first.
    const inside = { steps: [step('x', list), { ...each('y', `$${out('x')}`, `$${item()}`) }] };
    const outer = [step('a', list), { id: 'n', skill: 'workflow_coordination', input: inside, for_each: out('a') }];
    const { code, message } = await broken(...outer);
    expect(code).toBe('VALIDATION_ERROR');
    expect(message).toContain(
      'step n (workflow_coordination), item 4: step y (echo): the workflow would run more than 500',
    );
    // The list, three whole workflows of one list and 100 items, and the list of the fourth.
    expect(events.filter((event) => event.startsWith('+'))).toHaveLength(1 + 3 * 101 + 1);
    // The next has its own.
    events.length = 0;
    await run(step('a', list), each('b', out('a')));
    expect(events.filter((event) => event.startsWith('+'))).toHaveLength(101);
  });

  test('outputs with too many values end it as soon as there are too many (B4)', async () => {
    const many = Array(12_000).fill(0);
    const { code, message } = await broken(
      step('a', [1, 2, 3, 4, 5, 6]),
      step('b', many),
      each('c', out('a'), out('b')),
    );
    expect(code).toBe('VALIDATION_ERROR');
    expect(message).toContain('step c (echo), item 4: the outputs up to here have more than 50,000 values');
    expect(events.filter((event) => event.startsWith('+'))).toHaveLength(1 + 1 + 4);
    expect(await run(step('b', many), step('c', out('b')), step('d', out('b')), step('e', out('b')))).toHaveProperty(
      'e',
    );
  });

  test('a small workflow cannot fill the memory: the items together have one limit (B4)', async () => {
    const long = 'x'.repeat(100_000);
    const faults = await broken(step('a', Array(100).fill(1)), step('b', long), each('c', out('a'), `${out('b')}!`));
    expect(faults.message).toContain('step c (echo), item 11: the texts with their references filled in are larger');
    expect(await broken(step('a', Array(60).fill(1)), step('b', long), each('c', out('a'), out('b')))).toMatchObject({
      message: expect.stringMatching(/step c \(echo\), item \d+: the outputs up to here are larger than 4 MB/),
    });
  });
});

describe('when', () => {
  test('runs a step only if the reference is true; a step that was skipped is told (B4, M5)', async () => {
    const { outputs, skipped } = await open().output('workflow_coordination', {
      steps: [
        step('a', { yes: true, no: false }),
        { ...step('b', 1), when: out('a', 'value.yes') },
        { parallel: [{ ...step('c', 2), when: out('a', 'value.no') }, step('d', 3)] },
        { ...step('e', 4), when: out('c') },
      ],
    });
    expect(Object.keys(outputs as object)).toEqual(['a', 'b', 'd']);
    expect(skipped).toEqual(['c', 'e']);
    expect(events).not.toContain('+2');
    expect(events).not.toContain('+4');
  });

  test('with for_each it chooses items (B4)', async () => {
    const list = [
      { n: 1, open: true },
      { n: 2, open: false },
      { n: 3, open: true },
    ];
    const { outputs, steps } = await open().output('workflow_coordination', {
      steps: [step('a', list), each('b', out('a'), item('.n'), { when: item('.open') })],
    });
    expect(outputs).toMatchObject({ b: [{ value: 1 }, { value: 3 }] });
    expect(steps).toMatchObject([{ id: 'a' }, { id: 'b', item: 0 }, { id: 'b', item: 2 }]);
  });

  test('what a skipped step would have given cannot be referred to elsewhere (B4)', async () => {
    const steps = [step('a', false), { ...step('b', [1]), when: out('a') }];
    expect((await broken(...steps, step('c', out('b')))).message).toContain(
      'step c (echo): value: holds a reference to a step that was skipped',
    );
    expect(await broken(...steps, each('c', out('b')))).toMatchObject({
      message: 'Input validation failed: step c (echo): for_each: holds a reference to a step that was skipped',
      details: { skipped_steps: ['b'] },
    });
  });

  test.each([
    [1, 'a number'],
    ['true', 'a text'],
    [null, 'null'],
    [[], 'a list'],
  ])('%j is neither true nor false, and refused (B4)', async (value, kind) => {
    expect(await broken(step('a', value), { ...step('b', 1), when: out('a') })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `Input validation failed: step b (echo): when: stands for ${kind}, not for true or false`,
    });
  });

  test('a field that is not there is refused, too: a misspelt one must not look like false', async () => {
    expect((await broken(step('a', {}), { ...step('b', 1), when: out('a', 'value.x') })).message).toContain(
      'step b (echo): when: holds a reference that stands for nothing',
    );
  });
});

describe('retry', () => {
  /** Fails with these codes in turn, then succeeds. */
  const flaky = (...codes: readonly string[]): readonly [AnySkill, () => number] => {
    let calls = 0;
    const skill = defineSkill({
      name: 'flaky',
      description: 'Fails now and then.',
      category: 'execution',
      input: z.object({}),
      output: z.object({ calls: z.number() }),
      failureModes: ['NOT_FOUND', 'RATE_EXCEEDED', 'EXTERNAL_SERVICE_ERROR', 'PERSISTENCE_ERROR'],
      run: () => {
        const code = codes[calls++];
        if (code === 'RATE_EXCEEDED') return failure('RATE_EXCEEDED', { retry_after: 0 });
        if (code === 'FAR') return failure('RATE_EXCEEDED', { retry_after: 3_000 });
        if (code === 'NOT_FOUND') return failure('NOT_FOUND', { resource: 'thing' });
        if (code === 'THROW') throw new Error('a text for the log');
        if (code === 'UNAUTHORIZED') return failure('UNAUTHORIZED', { reason: 'no' });
        if (code !== undefined) return failure(code as 'EXTERNAL_SERVICE_ERROR');
        return { calls };
      },
    });
    return [skill, () => calls];
  };
  const tried = (retry: object) => ({ steps: [{ id: 'a', skill: 'flaky', retry }] });

  test('tries again after failures that may pass, each time an invocation of its own (B4, M5)', async () => {
    const { output, log } = open([flaky('EXTERNAL_SERVICE_ERROR', 'RATE_EXCEEDED')[0]]);
    expect(await output('workflow_coordination', tried({ attempts: 3 }))).toMatchObject({
      outputs: { a: { calls: 3 } },
      steps: [{ id: 'a', attempts: 3 }],
    });
    expect(log.ended.map(({ invocation }) => `${invocation.skillName} ${invocation.status}`)).toEqual([
      'flaky failed',
      'flaky failed',
      'flaky completed',
      'workflow_coordination completed',
    ]);
  });

  test('a step that ran out of time is timeout in the log; the workflow, whose own time is not up, failed (X2)', async () => {
    const slow = defineSkill({
      name: 'slow',
      description: 'Takes longer than it may.',
      category: 'execution',
      timeoutSeconds: 1,
      input: z.object({}),
      output: z.object({}),
      run: () => new Promise<never>(() => {}),
    });
    const { failure: fails, log } = open([slow]);
    const fault = await fails('workflow_coordination', { steps: [{ id: 'a', skill: 'slow' }] });
    expect(fault).toMatchObject({ code: 'TIMEOUT', message: 'Operation timed out after 1s' });
    expect(log.ended.map(({ invocation }) => `${invocation.skillName} ${invocation.status}`)).toEqual([
      'slow timeout',
      'workflow_coordination failed',
    ]);
  });

  test('gives up after the last attempt, with the last failure (B4)', async () => {
    const { failure: fails } = open([flaky('PERSISTENCE_ERROR', 'EXTERNAL_SERVICE_ERROR', 'RATE_EXCEEDED')[0]]);
    expect(await fails('workflow_coordination', tried({ attempts: 2 }))).toMatchObject({
      code: 'EXTERNAL_SERVICE_ERROR',
      details: { failed_steps: [{ id: 'a', attempts: 2, code: 'EXTERNAL_SERVICE_ERROR' }] },
    });
  });

  test.each([
    ['a fatal one', 'UNAUTHORIZED', {}],
    ['a fault of the skill', 'THROW', {}],
    ['what will not pass by itself', 'NOT_FOUND', {}],
    ['a wait that is too long', 'FAR', {}],
    ['a code that was not chosen', 'EXTERNAL_SERVICE_ERROR', { codes: ['TIMEOUT'] }],
  ])('%s is not tried again (B4)', async (_what, code, more) => {
    const [skill, calls] = flaky(code);
    const { failure: fails } = open([skill]);
    await fails('workflow_coordination', tried({ attempts: 5, ...more }));
    expect(calls()).toBe(1);
  });

  test('a recoverable code that was chosen is (B4)', async () => {
    const { output } = open([flaky('NOT_FOUND')[0]]);
    const retry = { attempts: 2, codes: ['NOT_FOUND', 'VALIDATION_ERROR'] };
    expect(await output('workflow_coordination', tried(retry))).toMatchObject({ outputs: { a: { calls: 2 } } });
  });

  test('a caller who has gone is not tried for again (X2)', async () => {
    const client = new AbortController();
    const [skill, calls] = flaky('EXTERNAL_SERVICE_ERROR', 'EXTERNAL_SERVICE_ERROR');
    const { invoke, runtime } = open([skill]);
    const onProgress = () => client.abort();
    const answer = await invoke('workflow_coordination', tried({ attempts: 5 }), { signal: client.signal, onProgress });
    expect(answer).toMatchObject({ failure: { details: { cancelled: true } } });
    await runtime.close();
    expect(calls()).toBeLessThanOrEqual(2);
  });
});

describe('a skill that an earlier step chose', () => {
  const chosen = (name: unknown, more: object = {}) => [
    step('a', name),
    { id: 'b', skill: out('a'), input: { value: 'chosen' }, ...more },
  ];

  test('is run, and named in the answer (B4, M5)', async () => {
    const { outputs, steps } = await open().output('workflow_coordination', { steps: chosen('echo') });
    expect(outputs).toMatchObject({ b: { value: 'chosen' } });
    expect(steps).toMatchObject([{}, { id: 'b', skill: 'echo' }]);
  });

  test('may be another for each item', async () => {
    const saying = (name: string) =>
      defineSkill({
        name,
        description: 'Says its name.',
        category: 'execution',
        input: z.object({ list: z.array(z.string()).optional() }),
        output: z.object({ said: z.string(), list: z.array(z.string()) }),
        run: ({ list = [] }) => ({ said: name, list }),
      });
    const { outputs } = await open([saying('one'), saying('other')]).output('workflow_coordination', {
      steps: [
        { id: 'a', skill: 'one', input: { list: ['other', 'one'] } },
        { id: 'b', for_each: out('a', 'list'), skill: item() },
      ],
    });
    expect(outputs).toMatchObject({ b: [{ said: 'other' }, { said: 'one' }] });
  });

  test.each([
    ['is none', 'no_such_skill', 'skill: there is no typed skill "no_such_skill"'],
    ['is no name', 'an odd <text>', 'skill: there is no typed skill'],
    ['is null', null, 'skill: stands for null, not for the name of a typed skill'],
    ['is a list', ['echo'], 'skill: stands for a list, not for the name of a typed skill'],
    ['is what every object has', 'constructor', 'skill: there is no typed skill "constructor"'],
  ])('is refused when it runs if it %s (B4)', async (_what, name, said) => {
    const { code, message } = await broken(...chosen(name));
    expect([code, message]).toEqual(['VALIDATION_ERROR', `Input validation failed: step b: ${said}`]);
  });

  test('needs the permission that calling it directly would need, in a list, too (X5)', async () => {
    const caller = agentCaller('someone', ['OrchestratorAgent']);
    for (const steps of [
      [step('a', 'vault'), { id: 'key', skill: out('a') }],
      [step('a', [1]), { id: 'key', skill: 'vault', for_each: out('a'), retry: { attempts: 5 } }],
      [step('a', true), { id: 'key', skill: 'vault', when: out('a') }],
    ]) {
      const { code, message, details } = await open().failure('workflow_coordination', { steps }, { caller });
      expect(code).toBe('UNAUTHORIZED');
      expect(message).toMatch(/^Access denied: step key \(vault\).*AuthAgent/);
      expect(details).toMatchObject({ failed_steps: [{ id: 'key', skill: 'vault' }] });
    }
    const refused = open().log.ended.filter(({ invocation }) => invocation.skillName === 'vault');
    expect(refused.map(({ invocation }) => invocation.status)).toEqual(['failed', 'failed', 'failed']);
  });

  test('its input is kept out of the log until its skill is known (B2)', async () => {
    const steps = [
      step('a', 'user_creation'),
      { id: 'b', skill: out('a'), input: { email: 'a@b.c', pw: 'left-right' } },
    ];
    await open().invoke('workflow_coordination', { steps });
    expect(open().log.begun[0]?.inputPayload).toMatchObject({ steps: [{}, { input: '[unknown field]' }] });
    expect(open().said()).not.toContain('left-right');
  });
});

test('secrets that come as items stay out of the log (B2)', async () => {
  const outputs = await run(
    { id: 'key', skill: 'vault' },
    step('a', [`it is ${out('key')}`]),
    each('b', out('a'), `<${item()}>`),
  );
  expect(outputs).toMatchObject({ b: [{ value: '<it is open-sesame-1234>' }] });
  expect(open().said()).not.toContain('open-sesame');
});

test('progress tells of every run, of what is skipped and of what is tried again (B4)', async () => {
  const seen: Progress[] = [];
  let calls = 0;
  const flaky = defineSkill({
    name: 'flaky',
    description: 'Fails the first time.',
    category: 'execution',
    input: z.object({ value: z.unknown().optional() }),
    output: z.object({ value: z.unknown() }),
    failureModes: ['EXTERNAL_SERVICE_ERROR'],
    run: ({ value }) => (calls++ === 2 ? failure('EXTERNAL_SERVICE_ERROR') : { value: value ?? null }),
  });
  const echo = (id: string, value: unknown, more: object = {}) => ({ id, skill: 'flaky', input: { value }, ...more });
  const answer = await open([flaky]).invoke(
    'workflow_coordination',
    {
      steps: [
        echo('a', ['x', 'y']),
        echo('b', item(), { for_each: out('a'), retry: { attempts: 2 } }),
        echo('c', false),
        echo('d', 1, { when: out('c') }),
      ],
    },
    { onProgress: (progress) => seen.push(progress) },
  );
  expect(answer).toMatchObject({ success: true });
  expect(seen.map(({ done, total, message }) => [done, total, message])).toEqual([
    [1, 4, 'step a'],
    [2, 5, 'step b, item 1 of 2'],
    [2.2, 5, 'step b, item 2 of 2, attempt 2'],
    [3, 5, 'step b, item 2 of 2'],
    [4, 5, 'step c'],
    [5, 5, 'step d skipped'],
  ]);
});
