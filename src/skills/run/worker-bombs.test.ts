// Worker skills against the server: memory, output, time and noise cost their own call alone (DESIGN 6, F14).
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bombSkill } from '../fixtures/bomb-skill.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { createRuntime } from './runtime.ts';

const lines: RuntimeEvent[] = [];

/** Each ends in a failure by what it takes, long before its time is up. */
const MEMORY = ['map', 'set', 'object', 'array', 'string', 'buffer', 'shared', 'deep', 'wide', 'recursion'];
const MORE_MEMORY = ['timers', 'promises'];

const OUTPUTS = ['text', 'nested', 'cycle', 'buffer', 'bytes', 'function', 'symbol', 'bigint', 'nan', 'hole', 'date'];
const MORE_OUTPUTS = ['map', 'error', 'promise', 'getter', 'toJson'];

const runtime = createRuntime({
  skills: [...MEMORY, ...MORE_MEMORY, 'pause', 'sharedText', 'sharedObjects', 'strange'].map((name) => bombSkill(name)),
  log: (line) => lines.push(line),
});

const invoke = (name: string, input: object = {}) => runtime.invoke({ name, input });
const lastError = () => String(lines.findLast(({ error }) => error !== undefined)?.error);

// V8 says a page about each process that ran out of memory: the log hears of it.
beforeEach(() => void vi.spyOn(process.stderr, 'write'));
afterEach(() => void vi.restoreAllMocks());
afterAll(() => runtime.close());

describe('a worker skill that takes all memory', () => {
  test.each([...MEMORY, ...MORE_MEMORY])(
    '%s: costs its own call, beside one that succeeds (F14) (A1)',
    async (name) => {
      expect(runtime.problems).toEqual([]);
      const [bombed, calm] = await Promise.all([invoke(name), invoke('pause', { n: 5 })]);
      expect(bombed).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: undefined } });
      expect(calm).toMatchObject({ success: true, outputPayload: { n: 5 } });
      expect(process.stderr.write).not.toHaveBeenCalled();
    },
  );
});

describe('an output of a worker skill', () => {
  test.each(['sharedtext', 'sharedobjects'])('%s: is measured before it leaves its process (A4)', async (name) => {
    const before = process.memoryUsage.rss();
    expect(await invoke(name)).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
    expect(lastError()).toMatch(/is larger than 8388608 bytes of JSON|has more than 50,000 values/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test.each([...OUTPUTS, ...MORE_OUTPUTS])('%s: is refused there, and the next call works (A4)', async (kind) => {
    expect(await invoke('strange', { kind })).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
    expect(lastError()).toMatch(/its output/);
    expect(await invoke('pause')).toMatchObject({ success: true });
  });
});
