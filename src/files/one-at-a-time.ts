// A piece of work on a file that one process does at a time: small files beside it say who is at it. Those of killed processes go.
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sleep } from '../async/sleep.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { isAlive } from './is-alive.ts';
import { makeDirectory } from './make-directory.ts';

/** Not equally long for all: two that came at the same moment do not meet again. */
const wait = (): Promise<void> => sleep(5 + Math.random() * 30);
/** The work is that of a moment: a process that still waits then gives up and says so. */
const MOST_MS = 30_000;
/** A process of another container cannot be seen from here: what seems gone gets this long. */
const GONE_MS = 1_000;
/** A number that is taken may be another process's by now. */
const LONGEST_MS = 20_000;

/** `path`: absolute, what the files that say who is at it begin with. The failure is half a sentence. Throws what the disk or `work` throws. */
export async function oneAtATime<T>(path: string, work: () => T): Promise<Result<T, string>> {
  makeDirectory(dirname(path));
  const started = performance.now();
  while (performance.now() - started <= MOST_MS) {
    if (!isTaken(path)) {
      const note = noteOf(path);
      writeFileSync(note, '', { flag: 'wx', mode: 0o600 });
      try {
        // Said first, looked at then: of two that come at once the later sees the earlier, and both may give way.
        if (!isTaken(path, note)) return ok(work());
      } finally {
        rmSync(note, { force: true });
      }
    }
    await wait();
  }
  return fail('another process is changing it; try again');
}

/** No name comes twice: taking away what a dead process left never takes the note of a living one. */
const noteOf = (path: string): string => `${path}.${process.pid}-${randomBytes(8).toString('hex')}.busy`;

function isTaken(path: string, except?: string): boolean {
  const folder = dirname(path);
  const notes = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.busy'));
  const others = notes.map((name) => join(folder, name)).filter((note) => note !== except);
  const left = others.filter(isAbandoned);
  for (const note of left) rmSync(note, { force: true });
  return others.length > left.length;
}

function isAbandoned(note: string): boolean {
  const stats = lstatSync(note, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  const age = Math.abs(Date.now() - stats.mtimeMs);
  const pid = Number(/\.(\d+)-[0-9a-f]+\.busy$/.exec(note)?.[1]);
  return age > LONGEST_MS || (age > GONE_MS && !isAlive(pid));
}
