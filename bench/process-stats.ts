// What Linux knows about a process that we started: CPU time and memory. Elsewhere: undefined, and the bench goes on.
import { existsSync, readFileSync } from 'node:fs';
import { now, sleep } from './clock.ts';

export interface ProcessStats {
  /** User and system time of all threads, in steps of 10 ms: differences under 20 ms mean nothing. */
  readonly cpuMs: number;
  readonly residentMb: number;
}

export const canReadStats = (): boolean => existsSync('/proc/self/stat');

/** USER_HZ: 100 on every Linux that node runs on. */
const tickMs = 10;

export function findStats(pid: number): ProcessStats | undefined {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name, which may hold spaces and brackets; what follows the last bracket is numbers.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs, residentMb: Number(resident?.[1]) / 1024 };
}

const lookEveryMs = 100;
/** Longer than any pause that the server makes between its first answer and its work in the background. */
const quietLooks = 4;
const patienceMs = 30_000;
/** Where CPU time cannot be seen: enough for 10,000 skills on a slow laptop. */
const blindMs = 3_000;

/** Waits until the process does nothing more: what goes on after the first answer is its work, too. */
export async function waitUntilQuiet(pid: number, limitMs = patienceMs): Promise<ProcessStats | undefined> {
  let last = findStats(pid);
  if (last === undefined) {
    await sleep(blindMs);
    return undefined;
  }
  const startedAt = now();
  for (let quiet = 0; quiet < quietLooks; ) {
    if (now() - startedAt > limitMs) throw new Error(`the server was still busy after ${limitMs / 1000} s`);
    await sleep(lookEveryMs);
    const next = findStats(pid);
    if (next === undefined) throw new Error('the server ended while it was waited for');
    quiet = next.cpuMs - last.cpuMs <= tickMs ? quiet + 1 : 0;
    last = next;
  }
  return last;
}
