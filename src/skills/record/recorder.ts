// Writes runs to the invocation log under the chosen policy (X7), and says so when the log cannot take them.

import { within } from '../../async/within.ts';
import { messageOf } from '../../values/error-text.ts';
import type { Invocation, InvocationResult } from '../define/invocation.ts';
import type { InvocationLog } from './invocation-log.ts';
import type { RuntimeLog } from './runtime-log.ts';

/**
 * What to do when the invocation log is down: `best_effort` runs the skill, `required` answers PERSISTENCE_ERROR.
 *
 * @example
 * const policy: LogPolicy = 'required';
 */
export type LogPolicy = 'best_effort' | 'required';

export interface RecorderOptions {
  readonly invocationLog: Pick<InvocationLog, 'begin' | 'end'>;
  readonly policy: LogPolicy;
  readonly log: RuntimeLog;
  readonly monotonicMs: () => number;
}

export interface Recorder {
  /** Whether the run may go on. */
  readonly begin: (invocation: Invocation) => Promise<boolean>;
  /** Whether the result may be answered: it is durable now, or the policy does not ask for it. */
  readonly end: (invocation: Invocation, result: InvocationResult) => Promise<boolean>;
  /** For a run that was not begun because the log did not answer: tried once, without waiting for it. */
  readonly closeRefused: (invocation: Invocation, result: InvocationResult) => void;
  /** Results that the log did not take. */
  readonly lost: number;
  /** Says what was lost and not yet said. */
  readonly close: () => void;
}

/**
 * The stores have a limit of their own: 2 s where they take nothing (F1), 30 s behind others that they do take. This one is
 * for logs that forget it.
 */
const PATIENCE_MS = 40_000;

const MINUTE = 60_000;

export function createRecorder(options: RecorderOptions): Recorder {
  const { invocationLog, policy } = options;
  const losses = createLosses(options);
  return {
    begin: async (invocation) => {
      const begun = faultOf(() => invocationLog.begin(invocation));
      // Best effort does not wait: `end` is written after it in any case.
      if (policy === 'best_effort') return true;
      const fault = await begun;
      if (fault === undefined) losses.clear();
      else losses.tell(fault);
      return fault === undefined;
    },
    end: async (invocation, result) => {
      const fault = await faultOf(() => invocationLog.end(invocation, result));
      if (fault !== undefined) losses.count(fault);
      else losses.clear();
      return fault === undefined || policy === 'best_effort';
    },
    closeRefused: (invocation, result) => void faultOf(() => invocationLog.end(invocation, result)),
    get lost() {
      return losses.total();
    },
    close: losses.tellRest,
  };
}

/** The reason why it did not work; never rejects and never waits for ever. */
async function faultOf(write: () => Promise<void>): Promise<string | undefined> {
  try {
    await within(write(), PATIENCE_MS, () => {
      throw new Error('the invocation log does not answer');
    });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** One line a minute, however many are lost; the whole count when the log is back, and at the end. */
function createLosses({ log, monotonicMs }: RecorderOptions) {
  let total = 0;
  let toldTotal = 0;
  let isTold = false;
  let lastLineMs = Number.NEGATIVE_INFINITY;
  const say = (message: string) => {
    toldTotal = total;
    log({ level: 'warn', message, lost: total });
  };
  const tell = (reason: string) => {
    if (monotonicMs() - lastLineMs < MINUTE) return;
    lastLineMs = monotonicMs();
    isTold = true;
    say(`Cannot record invocations: ${reason}`);
  };
  return {
    total: () => total,
    tell,
    count: (reason: string) => {
      total++;
      tell(reason);
    },
    /** The log took one. */
    clear: () => {
      if (isTold) say('Invocations are recorded again');
      isTold = false;
    },
    tellRest: () => {
      if (toldTotal < total) say('Not all invocations were recorded');
    },
  };
}
