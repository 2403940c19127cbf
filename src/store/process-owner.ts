// Which process this is, and whether another one is still alive. Reads /proc; on systems without it, the host name and the
// time of the boot identify the machine.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { codeOf } from '../values/error-code.ts';

export interface ProcessOwner {
  /** A UUID, new at every start. */
  readonly id: string;
  readonly pid: number;
  /** Processes with the same one see each other's pids: this boot of this machine, this container. */
  readonly machine: string | undefined;
  /** Of the process with this pid: when it started, because pids are used again. */
  readonly started: string | undefined;
}

export function readProcessOwner(id: string): ProcessOwner {
  const machine =
    process.platform === 'linux' ? readLinuxMachine() : machineOf(hostname(), Date.now() - uptime() * 1_000);
  return { id, pid: process.pid, machine, started: readStarted(process.pid) };
}

/** Only for processes of this machine. When in doubt it is alive. */
export function isGone({ pid, started }: Pick<ProcessOwner, 'pid' | 'started'>): boolean {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
  const startedNow = readStarted(pid);
  return started !== undefined && startedNow !== undefined && startedNow !== started;
}

/**
 * To the minute, because clocks are corrected. Two processes between which the minute changes take each other for
 * strangers: then the lease tells, as between machines.
 */
export const machineOf = (host: string, bootedAtMs: number): string =>
  `${host.slice(0, 150)} ${Math.round(bootedAtMs / 60_000)}`;

function readLinuxMachine(): string | undefined {
  return readProc(
    () => `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`,
  );
}

/** In clock ticks since the boot: the twentieth field after the command, which stands in brackets. */
function readStarted(pid: number): string | undefined {
  return readProc(() => {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  });
}

function readProc<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
