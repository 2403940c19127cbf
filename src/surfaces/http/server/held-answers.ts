// The answers that hold room, from before they are made until they were taken or their connection has gone (F10).
import type { ServerResponse } from 'node:http';
import { takenBytes } from './taken-bytes.ts';

/** What one answer holds. */
export interface HeldAnswer {
  readonly response: ServerResponse;
  readonly key: string;
  readonly bytes: number;
}

interface Entry extends HeldAnswer {
  bytes: number;
  readonly sinceMs: number;
  /** By its connection, before. */
  readonly takenBefore: number;
}

export interface HeldAnswers {
  /** More for this answer. What it holds is given back once, when it closes; `then` is called after that. */
  readonly add: (response: ServerResponse, key: string, bytes: number, then: () => void) => void;
  /** Those that hold room for so long, slowest first: by what was taken in the time, so that who reads nothing comes first. */
  readonly olderThan: (ms: number) => readonly HeldAnswer[];
  /** Ends its connection; what it holds is given back at once. */
  readonly drop: (answer: HeldAnswer) => void;
}

export function createHeldAnswers(monotonicMs: () => number, give: (key: string, bytes: number) => void): HeldAnswers {
  const entries = new Map<ServerResponse, Entry>();
  const release = (response: ServerResponse): boolean => {
    const entry = entries.get(response);
    if (entry === undefined) return false;
    entries.delete(response);
    give(entry.key, entry.bytes);
    return true;
  };
  return {
    add: (response, key, bytes, then) => {
      const entry = entries.get(response);
      if (entry !== undefined) {
        entry.bytes += bytes;
        return;
      }
      entries.set(response, { response, key, bytes, sinceMs: monotonicMs(), takenBefore: takenOf(response) });
      response.once('close', () => release(response) && then());
    },
    olderThan: (ms) => {
      const nowMs = monotonicMs();
      const paceOf = ({ response, sinceMs, takenBefore }: Entry) =>
        (takenOf(response) - takenBefore) / (nowMs - sinceMs + 1);
      return [...entries.values()]
        .filter(({ sinceMs }) => nowMs - sinceMs >= ms)
        .map((entry) => ({ entry, pace: paceOf(entry) }))
        .sort((one, other) => one.pace - other.pace)
        .map(({ entry }) => entry);
    },
    drop: ({ response }) => {
      release(response);
      response.destroy();
    },
  };
}

const takenOf = ({ socket }: ServerResponse): number => (socket === null ? 0 : takenBytes(socket));
