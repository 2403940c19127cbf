// What a skill can use while it runs, who can watch it, and how a stop ends it (X5, X6, F11).
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createLatch } from '../../../tests/support/latch.ts';
import { agentCaller } from '../../identity/caller.ts';
import type { SkillContext } from '../define/define-skill.ts';
import { failure } from '../define/failure.ts';
import { createMemoryLog } from '../fixtures/memory-log.ts';
import { openRuntime } from '../fixtures/open-runtime.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { createRuntime } from './runtime.ts';

describe('what a skill can use while it runs', () => {
  test('invokes another with the same caller and correlation id; nothing is elevated (X5, X6)', async () => {
    const invocationLog = createMemoryLog();
    const outer = testSkill({
      name: 'outer',
      output: z.object({ codes: z.array(z.string()) }),
      run: async (_: unknown, { invoke }: SkillContext) => {
        const answers = await Promise.all([invoke('echo', { text: 'a' }), invoke('guarded', { text: 'b' })]);
        return { codes: answers.map((answer) => (answer.success ? 'ok' : answer.failure.code)) };
      },
    });
    const skills = [outer, testSkill(), testSkill({ name: 'guarded', assignedTo: ['AuthAgent'] })];
    const runtime = createRuntime({ skills, invocationLog });
    const answer = await runtime.invoke({ name: 'outer', input: { text: '' }, caller: agentCaller('TaskAgent') });
    expect(answer).toMatchObject({ outputPayload: { codes: ['ok', 'UNAUTHORIZED'] } });
    const seen = invocationLog.ended.map(({ invocation }) => [invocation.invokingAgent, invocation.correlationId]);
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['TaskAgent', answer.correlationId]));
  });

  test('a skill that invokes itself without end is stopped (F14)', async () => {
    const run = async (input: unknown, { invoke }: SkillContext) => {
      const answer = await invoke('echo', input);
      return answer.success ? answer.outputPayload : failure('INTERNAL_ERROR');
    };
    const { invoke, log } = openRuntime({ run });
    expect(await invoke()).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
    expect(log.ended.length).toBeLessThan(20);
  });

  test('its steps end with it', async () => {
    const client = new AbortController();
    const outer = testSkill({
      name: 'outer',
      run: (input: unknown, { invoke }: SkillContext) => invoke('echo', input),
    });
    const invocationLog = createMemoryLog();
    const begun = createLatch();
    const inner = testSkill({
      run: () => {
        begun.open();
        return new Promise(() => {});
      },
    });
    const both = createRuntime({ skills: [outer, inner], invocationLog });
    const answer = both.invoke({ name: 'outer', input: { text: '' }, signal: client.signal });
    await begun.opened;
    client.abort();
    expect(await answer).toMatchObject({ failure: { details: { cancelled: true } } });
    await expect.poll(() => invocationLog.ended.length).toBe(2);
  });

  test('reports progress to whoever listens, until it ends', async () => {
    const seen: unknown[] = [];
    let tellLate = () => {};
    const run = async (_: unknown, { progress }: SkillContext) => {
      progress(1, 3, 'first');
      progress(Number.NaN);
      tellLate = () => progress(3, 3);
      return { text: '' };
    };
    const { invoke } = openRuntime({ run });
    await invoke({ onProgress: (progress) => seen.push(progress) });
    tellLate();
    expect(seen).toEqual([{ done: 1, total: 3, message: 'first' }]);
  });
});

describe('events', () => {
  test('tell of begin, progress and end; a listener that fails hurts nobody', async () => {
    const { runtime, invoke, lines } = openRuntime({
      run: (_: unknown, { progress }: SkillContext) => {
        progress(1);
        return { text: 'x' };
      },
    });
    const seen: string[] = [];
    runtime.subscribe(() => {
      throw new Error('bad listener');
    });
    const end = runtime.subscribe(({ type }) => seen.push(type));
    expect(await invoke()).toMatchObject({ success: true });
    end();
    await invoke();
    expect(seen).toEqual(['begin', 'progress', 'end']);
    expect(lines[0]?.message).toBe('A listener for invocations failed');
  });
});

describe('close', () => {
  test('waits for what runs, then cancels what is left (F11)', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { runtime, invoke } = openRuntime({
      run: ({ text }: { text: string }) =>
        new Promise((resolve) => text === 'slow' && setTimeout(resolve, 199, { text })),
    });
    const [slow, stuck] = [invoke({ input: { text: 'slow' } }), invoke({ input: { text: 'stuck' } })];
    let isClosed = false;
    const closing = runtime.close(200).then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(199);
    expect(await slow).toMatchObject({ success: true });
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await stuck).toMatchObject({ failure: { details: { cancelled: true } } });
    // It looks every 10 ms whether the end is recorded.
    await vi.advanceTimersByTimeAsync(10);
    await closing;
  });
});
