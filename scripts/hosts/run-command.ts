// Runs one command to its end, with what it printed; one that takes too long is ended with everything it started.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

export interface Ran {
  /** `null` when it did not end in time. */
  readonly code: number | null;
  /** Both streams, as they came. */
  readonly printed: string;
}

interface Surroundings {
  readonly folder: string;
  /** All that it sees. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** On its standard input. */
  readonly input?: string;
}

/** As shells say that a command was not found. */
const NOT_STARTED = 127;
const GRACE_MS = 10_000;
const LOOK_MS = 50;

export function runCommand(words: readonly string[], surroundings: Surroundings): Promise<Ran> {
  const { folder: cwd, environment: env, limitMs, input = '' } = surroundings;
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    // A group of its own: hosts start servers and daemons, and all of them have to go.
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => {}).end(input); // it may not read to the end
    let printed = '';
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, limitMs);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    child.once('error', (error) => {
      clearTimeout(late);
      resolve({ code: NOT_STARTED, printed: error.message });
    });
    const closed = new Promise((close) => child.once('close', close));
    // Its own end counts, not that of its streams alone: a daemon may hold them open for ever.
    child.once('exit', async (code) => {
      clearTimeout(late);
      // Servers that it started write their logs now.
      await waitForGroup(child.pid);
      endGroup(child.pid);
      await Promise.race([closed, wait(GRACE_MS, undefined, { ref: false })]);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({ code: isLate ? null : code, printed });
    });
  });
}

async function waitForGroup(pid: number | undefined): Promise<void> {
  for (let waited = 0; waited < GRACE_MS && isAlive(pid); waited += LOOK_MS) await wait(LOOK_MS);
}

function isAlive(group: number | undefined): boolean {
  if (group === undefined) return false;
  try {
    return process.kill(-group, 0);
  } catch {
    return false; // there is none
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // the group is gone
  }
}
