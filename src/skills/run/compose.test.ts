// Chains and parallel groups: one correlation id, each step in the log, a failure with its place (X6).
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { agentCaller } from '../../identity/caller.ts';
import type { SkillContext } from '../define/define-skill.ts';
import { failure } from '../define/failure.ts';
import { createMemoryLog } from '../fixtures/memory-log.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { chain, invokerOf, parallel } from './compose.ts';
import { createRuntime } from './runtime.ts';

function open() {
  let inside = 0;
  const peak = { value: 0 };
  const number = z.object({ n: z.number() });
  const skills = [
    testSkill({ name: 'add', input: number, output: number, run: ({ n }: { n: number }) => ({ n: n + 1 }) }),
    testSkill({
      name: 'lose',
      input: number,
      failureModes: ['NOT_FOUND'],
      run: () => failure('NOT_FOUND', { resource: 'n' }),
    }),
    testSkill({
      name: 'guarded',
      input: number,
      output: number,
      assignedTo: ['AuthAgent'],
      run: (input: object) => input,
    }),
    testSkill({
      name: 'slow',
      input: number,
      output: number,
      run: async (input: object) => {
        peak.value = Math.max(peak.value, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside--;
        return input;
      },
    }),
  ];
  const group = Array.from({ length: 16 }, (_, n) => ({ skill: 'slow', input: { n } }));
  skills.push(
    testSkill({
      name: 'group',
      input: z.object({}),
      output: z.object({}),
      run: async (_input: object, { invoke }: SkillContext) => {
        await parallel(group, invoke);
        return {};
      },
    }),
  );
  const log = createMemoryLog();
  const runtime = createRuntime({ skills, invocationLog: log });
  return { runtime, log, peak, invoke: invokerOf(runtime, { caller: agentCaller('TaskAgent') }) };
}

const add = { skill: 'add' };

describe('chain (X6)', () => {
  test('feeds each output to the next step, or what a function makes of all of them', async () => {
    const { invoke, log } = open();
    const made = await chain(
      [
        { skill: 'add', input: { n: 1 } },
        add,
        { skill: 'add', input: ({ n }, all) => ({ n: Number(n) * all.length }) },
      ],
      invoke,
    );
    expect(made).toMatchObject({ success: true, output: { n: 7 } });
    expect(new Set(log.ended.map(({ invocation }) => invocation.correlationId)).size).toBe(1);
    expect(log.ended).toHaveLength(3);
  });

  test('stops at the first failure and says where', async () => {
    const { invoke, log } = open();
    const made = await chain([{ skill: 'add', input: { n: 1 } }, { skill: 'lose' }, add], invoke);
    expect(made).toMatchObject({ success: false, failed: { step: 1, skill: 'lose', failure: { code: 'NOT_FOUND' } } });
    expect(log.ended.map(({ invocation }) => invocation.skillName)).toEqual(['add', 'lose']);
  });

  test('runs with the caller’s authority (X5)', async () => {
    const { invoke } = open();
    expect(await chain([{ skill: 'guarded', input: { n: 1 } }], invoke)).toMatchObject({
      failed: { failure: { code: 'UNAUTHORIZED' } },
    });
    expect(await chain([{ skill: 'nobody' }], invoke)).toMatchObject({ failed: { failure: { code: 'NOT_FOUND' } } });
    expect(await chain([], invoke)).toEqual({ success: true, output: {}, answers: [] });
  });
});

describe('parallel (X6)', () => {
  test('lets all steps end and keeps their order', async () => {
    const { invoke, log } = open();
    const made = await parallel(
      [
        { skill: 'slow', input: { n: 1 } },
        { skill: 'lose', input: { n: 2 } },
        { skill: 'add', input: { n: 3 } },
      ],
      invoke,
    );
    expect(made.success).toBe(false);
    expect(made.failed).toMatchObject([{ step: 1, skill: 'lose', failure: { code: 'NOT_FOUND' } }]);
    expect(made.answers.map((answer) => answer.success && answer.outputPayload)).toEqual([{ n: 1 }, false, { n: 4 }]);
    expect(log.ended).toHaveLength(3);
  });

  test('does not look like a leak to Node, inside a skill and outside (X6)', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const steps = Array.from({ length: 16 }, (_, n) => ({ skill: 'slow', input: { n } }));
    const stop = new AbortController();
    const { runtime } = open();
    await parallel(steps, invokerOf(runtime, { signal: stop.signal }));
    await runtime.invoke({ name: 'group' });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(warnings).toEqual([]);
    stop.abort();
    const after = await parallel(steps, invokerOf(runtime, { signal: stop.signal }));
    expect(after.failed).toHaveLength(16);
  });

  test('runs at most sixteen at a time', async () => {
    const { invoke, peak } = open();
    const made = await parallel(
      Array.from({ length: 50 }, (_, n) => ({ skill: 'slow', input: { n } })),
      invoke,
    );
    expect(made.answers).toHaveLength(50);
    expect(peak.value).toBe(16);
  });
});

describe('a step whose input cannot be made (X6)', () => {
  const fault = new Error('no such field');
  const broken = {
    skill: 'add',
    input: () => {
      throw fault;
    },
  };
  const failed = { skill: 'add', failure: { code: 'INTERNAL_ERROR' }, cause: fault };

  test('stops a chain where it stands', async () => {
    const { invoke, log } = open();
    const made = await chain([{ skill: 'add', input: { n: 1 } }, broken, add], invoke);
    expect(made).toMatchObject({ success: false, failed: { ...failed, step: 1 }, answers: [{ success: true }] });
    expect(log.ended).toHaveLength(1);
  });

  test('fails in a group, and the others end', async () => {
    const { invoke, log } = open();
    const slow = { skill: 'slow', input: { n: 1 } };
    const made = await parallel([slow, broken, slow], invoke);
    expect(made).toMatchObject({ success: false, failed: [{ ...failed, step: 1 }] });
    expect(made.answers.map(({ success }) => success)).toEqual([true, true]);
    expect(log.ended).toHaveLength(2);
  });
});
