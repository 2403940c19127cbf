// Many requests on one pipe as fast as the answers come, a fixed number in flight. Counts answers, reads none.

export interface Burst {
  readonly ms: number;
  readonly bytes: number;
  /** From each writing to the answer that came next: one call's time when one is in flight. */
  readonly latencies: readonly number[];
}

export interface BurstOptions {
  readonly lines: readonly string[];
  readonly inFlight: number;
  readonly write: (text: string) => void;
  readonly now: () => number;
  readonly done: (burst: Burst) => void;
}

const newline = 0x0a;

/** Begins to write at once; answers what to do with each chunk that the server sends. */
export function startBurst({ lines, inFlight, write, now, done }: BurstOptions): (chunk: Buffer) => void {
  const latencies: number[] = [];
  const startedAt = now();
  let [sent, answered, bytes, wroteAt] = [0, 0, 0, startedAt];
  const fill = () => {
    const next = lines.slice(sent, answered + inFlight);
    sent += next.length;
    wroteAt = now();
    if (next.length > 0) write(next.join(''));
  };
  fill();
  return (chunk) => {
    const answers = countLines(chunk);
    bytes += chunk.length;
    if (answers === 0) return;
    answered += answers;
    latencies.push(now() - wroteAt);
    if (answered >= lines.length) done({ ms: now() - startedAt, bytes, latencies });
    else fill();
  };
}

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count += 1;
  return count;
}
