// Sends telemetry to one collector: again where that may help, never longer than it was given, and tells when it is away.
// Never rejects, and no fault holds a text of the collector: it may repeat a credential.
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SignalOptions } from './variables.ts';

export type TelemetryLog = (event: {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly [detail: string]: unknown;
}) => void;

/** Whether it was taken within this time. */
export type Send = (body: string, withinMs: number) => Promise<boolean>;

export interface CollectorOptions extends SignalOptions {
  /** What is sent, as a word of a sentence: traces. */
  readonly what: string;
  readonly log: TelemetryLog;
  /** Shared by the signals. */
  readonly away: AwayNotes;
  /** Aborted when there is no time left. */
  readonly stop: AbortSignal;
  /** Before the second attempt; twice as long before each further one. */
  readonly firstPauseMs?: number;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;

export function createSender(options: CollectorOptions): Send {
  const { firstPauseMs = FIRST_PAUSE_MS, stop } = options;
  const health = createHealth(options);
  return async (body, withinMs) => {
    const until = performance.now() + withinMs;
    const content = await encode(body, options);
    for (let attempt = 0; ; attempt += 1) {
      const left = until - performance.now();
      const result = await post(content, options, left);
      health.note(result);
      if (result.kind !== 'again') return result.kind === 'taken';
      // One that asks for no wait (0, or a date that is past) is not asked without a pause.
      const waitMs = Math.max(result.waitMs ?? 0, backOff(firstPauseMs, attempt));
      if (stop.aborted || performance.now() + waitMs >= until) return false;
      // It rejects when the signal is aborted, which is asked next.
      await pause(waitMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
      if (stop.aborted) return false;
    }
  };
}

/** Replicas that lost the same collector do not come back at the same moment. */
const backOff = (firstMs: number, attempt: number): number =>
  Math.min(firstMs * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);

const compress = promisify(gzip);

const encode = async (body: string, { isGzip }: SignalOptions): Promise<string | Uint8Array<ArrayBuffer>> =>
  isGzip ? new Uint8Array(await compress(body)) : body;

type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly hasAnswered: true; readonly reason: string }
  | {
      readonly kind: 'again';
      readonly hasAnswered: boolean;
      readonly reason: string;
      readonly waitMs?: number | undefined;
    };

const MAY_PASS: readonly number[] = [429, 502, 503, 504];

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  options: CollectorOptions,
  leftMs: number,
): Promise<Attempt> {
  const { url, headers, timeoutMs, isGzip, stop } = options;
  const limit = AbortSignal.timeout(Math.max(1, Math.floor(Math.min(timeoutMs, leftMs))));
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...(isGzip && { 'content-encoding': 'gzip' }) },
      body,
      // The headers are for this address only.
      redirect: 'manual',
      signal: AbortSignal.any([limit, stop]),
    });
    // What it says is not needed, however much it is.
    await response.body?.cancel();
    if (response.ok) return { kind: 'taken' };
    const reason = `it answered with the status ${response.status}`;
    if (!MAY_PASS.includes(response.status)) return { kind: 'refused', hasAnswered: true, reason };
    return { kind: 'again', hasAnswered: true, reason, waitMs: waitIn(response.headers.get('retry-after')) };
  } catch {
    // No network, a broken connection, our own time limit.
    const reason = limit.aborted ? 'it did not answer in time' : 'it cannot be reached, or broke off';
    return { kind: 'again', hasAnswered: false, reason };
  }
}

/** Seconds or a date. */
function waitIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** What is away at the moment: addresses that do not answer, and signals that an address refuses. */
export type AwayNotes = Set<string>;

/** Told once when it goes, and once when it is back. One that does not answer is away for both signals. */
function createHealth({ url, what, log, stop, away }: CollectorOptions) {
  const { origin } = new URL(url);
  const refusal = `${origin} ${what}`;
  const noteTaken = (): void => {
    const [wasAway, wasRefused] = [away.delete(origin), away.delete(refusal)];
    if (wasAway || wasRefused) log({ level: 'info', message: `Telemetry reaches ${origin} again` });
  };
  return {
    note: (result: Attempt): void => {
      if (result.kind === 'taken') {
        noteTaken();
        return;
      }
      const [key, lost] = result.hasAnswered ? [refusal, what] : [origin, 'telemetry'];
      // An attempt that our own stop ended says nothing of the collector.
      if (away.has(key) || stop.aborted) return;
      away.add(key);
      const message = `Cannot send ${lost} to ${origin}: ${result.reason}; requests go on, and what does not fit into the queue is dropped`;
      log({ level: 'warn', message });
    },
  };
}
