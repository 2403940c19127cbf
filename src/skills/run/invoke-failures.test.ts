// Every way in which a skill can go wrong ends in the right failure, and never with the text of an error (X4, F14).
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { SkillContext } from '../define/define-skill.ts';
import { failure } from '../define/failure.ts';
import { openRuntime } from '../fixtures/open-runtime.ts';
import { testSkill } from '../fixtures/test-skill.ts';

describe('a skill that fails', () => {
  const boom = () => {
    throw new Error('secret detail in /home/someone/file.ts');
  };

  test.each([
    ['throws', boom],
    ['rejects', async () => boom()],
    [
      'throws null',
      () => {
        throw null;
      },
    ],
    [
      'throws an error whose message throws',
      () => {
        throw Object.defineProperty(new Error(), 'stack', { get: boom });
      },
    ],
    ['returns nothing', () => undefined],
    ['returns the wrong shape', () => ({ text: 5 })],
    ['returns an output that throws', () => Object.defineProperty({}, 'text', { enumerable: true, get: boom })],
    ['returns an undeclared failure', () => failure('PERSISTENCE_ERROR')],
    [
      'returns failure details that throw',
      () =>
        failure('UNAUTHORIZED', {
          reason: 'x',
          get more() {
            return boom();
          },
        }),
    ],
  ])('%s: INTERNAL_ERROR for the caller, a line for the log (X4, F14)', async (_how, run) => {
    const { invoke, lines, log } = openRuntime({ run });
    expect(await invoke()).toMatchObject({
      success: false,
      failure: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred', details: undefined },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'error', message: expect.stringContaining('"echo"') });
    expect(log.ended[0]?.invocation.status).toBe('failed');
  });

  test('with a declared failure answers it, details cleaned (X4)', async () => {
    const details = {
      resource: 'task 5',
      error: new Error('hidden'),
      stack: 'Error: x\n    at f (/home/a/b.ts:1:2)',
      when: new Date(0),
    };
    const { invoke } = openRuntime({ failureModes: ['NOT_FOUND'], run: () => failure('NOT_FOUND', details) });
    expect(await invoke()).toMatchObject({
      failure: {
        code: 'NOT_FOUND',
        message: 'Resource not found: task 5',
        details: { resource: 'task 5', error: '[left out]', stack: 'Error: x', when: '1970-01-01T00:00:00.000Z' },
      },
    });
  });

  test('by outliving its limit ends as timeout, and its signal tells it (X5)', async () => {
    vi.useFakeTimers();
    try {
      let signal: AbortSignal | undefined;
      const run = (_input: unknown, context: SkillContext) => {
        signal = context.signal;
        return new Promise(() => {});
      };
      const { invoke, log } = openRuntime({ timeoutSeconds: 2, run });
      const answer = invoke();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await answer).toMatchObject({ failure: { code: 'TIMEOUT', message: 'Operation timed out after 2s' } });
      expect(signal?.aborted).toBe(true);
      expect(log.ended[0]?.invocation.status).toBe('timeout');
    } finally {
      vi.useRealTimers();
    }
  });

  test('by answering TIMEOUT within its limit is failed: no time of its own was up (X2)', async () => {
    const { invoke, log } = openRuntime({ run: () => failure('TIMEOUT', { timeout: 9 }) });
    expect(await invoke()).toMatchObject({ failure: { code: 'TIMEOUT', message: 'Operation timed out after 9s' } });
    expect(log.ended[0]?.invocation.status).toBe('failed');
  });

  test('because a step of it outlived its limit is failed; the step is timeout (X2, X6)', async () => {
    vi.useFakeTimers();
    try {
      const step = testSkill({ name: 'step', timeoutSeconds: 1, run: () => new Promise(() => {}) });
      const run = async (input: unknown, context: SkillContext) => {
        const answer = await context.invoke('step', input);
        return answer.success ? answer.outputPayload : failure('TIMEOUT', { timeout: 1 });
      };
      const { invoke, log } = openRuntime({}, { skills: [testSkill({ run }), step] });
      const answer = invoke();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await answer).toMatchObject({ failure: { code: 'TIMEOUT' } });
      expect(log.ended.map(({ invocation }) => `${invocation.skillName} ${invocation.status}`)).toEqual([
        'step timeout',
        'echo failed',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('because its client cancelled is failed with cancelled: true (X2)', async () => {
    const client = new AbortController();
    const { invoke, log } = openRuntime({ run: () => new Promise(() => {}) });
    const answer = invoke({ signal: client.signal });
    setTimeout(() => client.abort(), 5);
    expect(await answer).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: { cancelled: true } } });
    expect(log.ended[0]?.invocation.status).toBe('failed');
  });

  test('in a refinement of its own schema is INTERNAL_ERROR', async () => {
    const { invoke, lines } = openRuntime({ input: z.object({ text: z.string().refine(boom) }) });
    expect(await invoke()).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
    expect(lines[0]?.error).toContain('secret detail');
  });
});

test('an output that changes while we look at it ends in an answer all the same, without its words', async () => {
  let looks = 0;
  const shifty = () =>
    Object.defineProperty({}, 'any', {
      enumerable: true,
      get: () => {
        // The check of the output looks twice: it counts, then it reads.
        if (++looks > 2) throw new Error('words of the getter');
        return 1;
      },
    });
  const output = z.object({ text: z.any() });
  const { invoke, lines, log, runtime } = openRuntime({ output, run: () => ({ text: shifty() }) });
  const seen: string[] = [];
  runtime.subscribe((event) => seen.push(event.type));
  const answer = await invoke({ correlationId: 'aaaaaaaa-0000-4000-8000-000000000001' });
  expect(answer).toMatchObject({
    failure: { code: 'INTERNAL_ERROR' },
    correlationId: 'aaaaaaaa-0000-4000-8000-000000000001',
  });
  // Whoever saw it begin sees it end, under the same id (X2).
  expect(seen).toEqual(['begin', 'end']);
  expect(log.begun.map(({ id }) => id)).toEqual([answer.invocationId]);
  expect(log.ended).toMatchObject([
    { invocation: { id: answer.invocationId, status: 'failed' }, result: { failure: { code: 'INTERNAL_ERROR' } } },
  ]);
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('words of the getter');
});
