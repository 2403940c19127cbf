// A named pipe, which Node cannot make by itself.
import { execFileSync } from 'node:child_process';

const command = 'mkfifo';

export function makeFifo(path: string): void {
  execFileSync(command, [path]);
}
