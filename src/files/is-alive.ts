// Whether a process of this number runs on this machine, as far as this one can see.
import { codeOf } from '../values/error-code.ts';

/** The largest that a system gives: Node throws for larger ones, and that would read as alive. */
const LARGEST = 2 ** 31 - 1;

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1 || pid > LARGEST) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
