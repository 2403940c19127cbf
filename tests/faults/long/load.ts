// Callers that write to a store without a pause and go on when they are refused, for faults that happen meanwhile.
import { StoreUnavailable } from '../../../src/skills/record/invocation-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { invocationOf, logRun } from '../../contracts/stores/store-world.ts';
import { pause } from './fault-part.ts';

const CALLERS = 64;

export interface Load {
  /** `ended ID` for each run that was acknowledged. */
  readonly words: readonly string[];
  /** Told that they are not in the log; those whose answer came too late may be there all the same. */
  readonly refused: ReadonlySet<string>;
  /** The longest that a caller waited for an answer of any kind. */
  slowestMs(): number;
  /** Of a run that begins now or later: after how many milliseconds. Throws after the limit. */
  nextAcknowledgement(limitMs: number): Promise<number>;
  stop(): Promise<void>;
}

export function startLoad(store: Store): Load {
  const words: string[] = [];
  const refused = new Set<string>();
  let slowestMs = 0;
  let lastBegun = 0;
  let isOver = false;
  const call = async () => {
    const begun = performance.now();
    const invocation = invocationOf({ timestamp: new Date() });
    try {
      await logRun(store.invocations, invocation);
      words.push(`ended ${invocation.id}`);
      lastBegun = Math.max(lastBegun, begun);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      refused.add(invocation.id);
      await pause(5);
    }
    slowestMs = Math.max(slowestMs, performance.now() - begun);
  };
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) await call();
  });
  return {
    words,
    refused,
    slowestMs: () => slowestMs,
    async nextAcknowledgement(limitMs) {
      const started = performance.now();
      while (lastBegun < started) {
        if (performance.now() - started > limitMs) throw new Error(`nothing was acknowledged for ${limitMs} ms`);
        await pause(5);
      }
      return performance.now() - started;
    },
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}
