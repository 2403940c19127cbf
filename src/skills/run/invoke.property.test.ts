// Random interleavings of begin, end, timeout and cancel never leave X2's diagram and never give two results.

import { describe, expect, test, vi } from 'vitest';
import fc from '../../../tests/support/property.ts';
import type { SkillContext } from '../define/define-skill.ts';
import { failureOf } from '../define/failure.ts';
import type { InvocationStatus, SkillAnswer } from '../define/invocation.ts';
import { createRegistry } from '../define/registry.ts';
import { createMemoryLog } from '../fixtures/memory-log.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { ActiveInvocation, type Outcome, type RuntimeParts } from './active-invocation.ts';
import { createRuntime } from './runtime.ts';

const FINAL: readonly InvocationStatus[] = ['completed', 'failed', 'timeout'];

const OUTCOMES = {
  end: { ok: true, value: {} },
  fail: { ok: false, failure: failureOf('NOT_FOUND', { resource: 'x' }) },
  timeout: { ok: false, failure: failureOf('TIMEOUT', { timeout: 1 }) },
  cancel: { ok: false, failure: failureOf('INTERNAL_ERROR', { cancelled: true }) },
} as const satisfies Record<string, Outcome>;

type Push = 'begin' | keyof typeof OUTCOMES;

/** Begin and end ask for nothing else. */
const CLOCK_ONLY = { clock: { now: () => new Date(0), monotonicMs: () => 0 } } as RuntimeParts;

describe('a call (X2)', () => {
  const [skill] = createRegistry([testSkill()]).skills;
  if (skill === undefined) throw new Error('not registered');

  test('goes pending → running → one end, whatever is pushed in which order', () => {
    const pushes = fc.array(fc.constantFrom<Push>('begin', 'end', 'fail', 'timeout', 'cancel'), { maxLength: 12 });
    fc.assert(
      fc.property(pushes, (sequence) => {
        const call = new ActiveInvocation(CLOCK_ONLY, skill, { name: skill.name });
        const statuses: InvocationStatus[] = [call.status];
        const results: SkillAnswer[] = [];
        for (const push of sequence) {
          call.isOverdue = push === 'timeout';
          const result = push === 'begin' ? void call.begin() : call.end(OUTCOMES[push]);
          if (result !== undefined) results.push(result);
          if (call.status !== statuses.at(-1)) statuses.push(call.status);
        }
        expect(['pending', 'pending running', ...FINAL.map((end) => `pending running ${end}`)]).toContain(
          statuses.join(' '),
        );
        expect(results).toHaveLength(FINAL.includes(call.status) ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });
});

type Deed = { readonly call: number; readonly do: 'return' | 'throw' | 'fail' | 'cancel' | 'progress' | 'wait' };

const deeds = fc.array(
  fc.record({
    call: fc.nat({ max: 3 }),
    do: fc.constantFrom<Deed['do']>('return', 'throw', 'fail', 'cancel', 'progress', 'wait'),
  }),
  { maxLength: 20 },
);

interface Puppet {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly context: SkillContext;
}

describe('the runtime (X2)', () => {
  test('four calls at once, pushed at random: each has one begin, one end, one answer, all the same', async () => {
    await fc.assert(fc.asyncProperty(deeds, fc.boolean(), play), { numRuns: 150 });
  });
});

async function play(sequence: readonly Deed[], slowLog: boolean): Promise<void> {
  vi.useFakeTimers();
  try {
    const { answers, log, events } = await perform(sequence, slowLog);
    for (const answer of answers) {
      const begun = log.begun.filter(({ id }) => id === answer.invocationId);
      const ended = log.ended.filter(({ invocation }) => invocation.id === answer.invocationId);
      expect(begun.map(({ status }) => status)).toEqual(['running']);
      expect(ended).toHaveLength(1);
      expect(FINAL).toContain(ended[0]?.invocation.status);
      expect(ended[0]?.result.success).toBe(answer.success);
      const own = events.filter(({ id }) => id === answer.invocationId).map(({ type }) => type);
      expect(own.filter((type) => type !== 'progress')).toEqual(['begin', 'end']);
      expect(own.at(-1)).toBe('end');
    }
  } finally {
    vi.useRealTimers();
  }
}

async function perform(sequence: readonly Deed[], slowLog: boolean) {
  const puppets: Puppet[] = [];
  const clients = Array.from({ length: 4 }, () => new AbortController());
  const events: { readonly type: string; readonly id: string }[] = [];
  const log = createMemoryLog();
  if (slowLog) delay(log);
  const run = (_: unknown, context: SkillContext) =>
    new Promise((resolve, reject) => puppets.push({ resolve, reject, context }));
  const runtime = createRuntime({ skills: [testSkill({ run, timeoutSeconds: 1 })], invocationLog: log });
  runtime.subscribe((event) =>
    events.push({ type: event.type, id: event.type === 'progress' ? event.invocationId : event.invocation.id }),
  );
  const waiting = clients.map(({ signal }) => runtime.invoke({ name: 'echo', input: { text: '' }, signal }));
  for (const deed of sequence) {
    await act(deed, puppets[deed.call], clients[deed.call]);
  }
  await vi.advanceTimersByTimeAsync(3_000);
  return { answers: await Promise.all(waiting), log, events };
}

function delay(log: ReturnType<typeof createMemoryLog>): void {
  const end = log.end;
  log.end = async (...args) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await end(...args);
  };
}

async function act({ do: deed }: Deed, puppet: Puppet | undefined, client: AbortController | undefined): Promise<void> {
  if (deed === 'wait') await vi.advanceTimersByTimeAsync(400);
  if (deed === 'cancel') client?.abort();
  if (deed === 'return') puppet?.resolve({ text: 'x' });
  if (deed === 'fail') puppet?.resolve({ text: 5 });
  if (deed === 'throw') puppet?.reject(new Error('x'));
  if (deed === 'progress') puppet?.context.progress(1);
  await vi.advanceTimersByTimeAsync(0);
}
