// Ends what a host left running: daemons leave the group of the program that started them, but not its home directory.
import { readdirSync, readFileSync } from 'node:fs';

/** Every process that was started with this home. Where there is no `/proc`, none is found. */
export function endLeftovers(home: string): void {
  for (const pid of readNumbers('/proc')) {
    if (pid === process.pid || !readVariables(pid).includes(`HOME=${home}`)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it went by itself
    }
  }
}

function readNumbers(folder: string): readonly number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return []; // not on this platform
  }
}

function readVariables(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // it is gone, or another user's
  }
}
