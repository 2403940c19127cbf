// Many large calls at once: each is in the log, whatever it brings along. What there is no room for is left out, and said.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Invocation, InvocationResult } from '../../../src/skills/define/invocation.ts';
import { openRuntime } from '../../../src/skills/fixtures/open-runtime.ts';
import type { InvocationLog } from '../../../src/skills/record/invocation-log.ts';
import fc from '../../support/property.ts';
import { failureOf, invocationOf, logRun, successOf } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const anyText = z.object({ text: z.string() });
const LONG = 'x'.repeat(1_000_000);

interface Call {
  readonly input: number;
  readonly output: number;
  readonly ending: 'completed' | 'failed' | 'timeout';
  /** Else only its end is recorded: the beginning was lost. */
  readonly isBegun: boolean;
}

const size = fc.oneof(fc.nat(2_000), fc.integer({ min: 200_000, max: 1_000_000 }));
const call: fc.Arbitrary<Call> = fc.record({
  input: size,
  output: size,
  ending: fc.constantFrom('completed', 'completed', 'failed', 'timeout'),
  isBegun: fc.boolean(),
});

describe.each(['memory', 'sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('all are recorded, with the status that they ended with, and no payload is another one (A7, X7)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 60 }), async (calls) => {
        const { invocations: log } = await world.logs(kind);
        const runs = calls.map((each) => ({ each, ...runOf(each) }));
        await Promise.all(
          runs.map(({ each, invocation, result }) =>
            each.isBegun ? logRun(log, invocation, result) : log.end(invocation, result),
          ),
        );
        for (const { each, invocation, result } of runs) await expectRecorded(log, each, invocation, result);
        await world.closeAll();
      }),
      // To look for the smallest one would take minutes.
      { numRuns: 5, endOnFailure: true },
    );
  });

  test.each(['best_effort', 'required'] as const)(
    'thirty calls of a megabyte each succeed and are in the log, %s (A7, F2)',
    async (policy) => {
      const { invocations: invocationLog } = await world.logs(kind);
      const { invoke, runtime, lines } = openRuntime({ input: anyText, output: anyText }, { invocationLog, policy });
      const answers = await Promise.all(Array.from({ length: 30 }, () => invoke({ input: { text: LONG } })));
      expect(failuresIn(answers)).toEqual([]);
      for (const { invocationId } of answers) {
        expect(await invocationLog.find(invocationId)).toMatchObject({
          invocation: { status: 'completed' },
          result: { success: true },
        });
      }
      expect(lines.map(({ message }) => message)).toEqual([]);
      await runtime.close();
    },
  );
});

test.each(['memory', 'sqlite', 'postgres'] as const)(
  'thousands of small calls at once are all in the log of %s, too (A7, F2)',
  async (kind) => {
    const { invocations: invocationLog } = await world.logs(kind);
    const { invoke, runtime, lines } = openRuntime({}, { invocationLog });
    const answers = await Promise.all(Array.from({ length: 8_000 }, () => invoke()));
    expect(failuresIn(answers)).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual([]);
    expect(runtime.lost()).toBe(0);
    const at = answers.map(({ timestamp }) => timestamp.getTime()).sort();
    const { skills } = await invocationLog.stats({
      since: new Date(at[0] ?? 0),
      until: new Date((at.at(-1) ?? 0) + 1),
    });
    expect(skills).toMatchObject([{ skillName: 'echo', successCount: 8_000 }]);
    await runtime.close();
  },
);

/** Their sentences, each once: thirty payloads of a megabyte are no help. */
const failuresIn = (answers: readonly InvocationResult[]): readonly string[] => [
  ...new Set(answers.flatMap((answer) => (answer.success ? [] : [answer.failure.message]))),
];

function runOf({ input, output, ending }: Call): { invocation: Invocation; result: InvocationResult } {
  const invocation = invocationOf({ inputPayload: { text: 'i'.repeat(input) }, status: ending });
  const payload = { text: 'o'.repeat(output) };
  if (ending === 'completed')
    return { invocation, result: { ...successOf(invocation), success: true, outputPayload: payload } };
  const failed = failureOf(invocation, ending === 'timeout' ? 'TIMEOUT' : 'NOT_FOUND');
  if (failed.success) throw new Error('it should have failed');
  return { invocation, result: { ...failed, failure: { ...failed.failure, details: payload } } };
}

async function expectRecorded(log: InvocationLog, each: Call, invocation: Invocation, result: InvocationResult) {
  const found = await log.find(invocation.id);
  expect(found?.invocation).toMatchObject({ status: each.ending, correlationId: invocation.correlationId });
  expectPayload(found?.invocation.inputPayload, invocation.inputPayload);
  expectPayload(payloadOf(found?.result), payloadOf(result));
}

const payloadOf = (result: InvocationResult | undefined) =>
  result?.success ? result.outputPayload : result?.failure.details;

/** Whole, or the mark that says how much is missing. What is short is never left out. */
function expectPayload(found: unknown, given: unknown) {
  const bytes = JSON.stringify(given).length;
  if (bytes > 512 && typeof found === 'object' && found !== null && 'not_recorded' in found)
    return expect(found).toEqual({ not_recorded: 'the log had no room for it', bytes });
  // Compared before it is shown: a difference of a megabyte is no help.
  expect(JSON.stringify(found) === JSON.stringify(given)).toBe(true);
}
