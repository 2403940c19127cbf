// What the system knows about a process that we started: memory and watches.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export function residentMegabytes(pid: number): number {
  return (statusKilobytes(pid, 'VmRSS') ?? residentByPs(pid)) / 1024;
}

/** The highest it ever was; where the system does not say, what it is now. */
export function peakMegabytes(pid: number): number {
  return (statusKilobytes(pid, 'VmHWM') ?? residentByPs(pid)) / 1024;
}

/** How many inotify watches the process holds; undefined where there is no inotify. */
export function watchCount(pid: number): number | undefined {
  const folder = `/proc/${pid}/fdinfo`;
  if (!existsSync(folder)) return undefined;
  const texts = readdirSync(folder).map((fd) => readFileSync(`${folder}/${fd}`, 'utf8'));
  return texts.join('').match(/^inotify wd:/gm)?.length ?? 0;
}

function statusKilobytes(pid: number, field: string): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'utf8'));
  return found === null ? undefined : Number(found[1]);
}

function residentByPs(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
