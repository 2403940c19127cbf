// How much memory another process holds, where the system tells without starting a program.
import { readFileSync } from 'node:fs';
import { platform } from 'node:process';

/** `undefined`: not known here, or there is no such process any more. */
export function findResidentBytes(pid: number): number | undefined {
  if (platform !== 'linux') return undefined;
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return found === null ? undefined : Number(found[1]) * 1024;
  } catch {
    // It has just ended, or /proc is not there.
    return undefined;
  }
}
