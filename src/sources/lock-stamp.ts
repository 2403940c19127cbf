// Where locks are, and whether one has changed. Loaded by every start: it reads nothing.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../values/error-code.ts';

export interface LockPlace {
  /** Absolute. */
  readonly path: string;
  /** Absolute: what a relative directory in it is relative to. */
  readonly project: string;
  readonly isGlobal: boolean;
}

const LOCK_NAME = 'repertoire.lock.json';

/** The project's, and that of every project (S2). */
export const lockPlaces = (project: string, dataDirectory: string): readonly [LockPlace, LockPlace] => [
  { path: join(project, LOCK_NAME), project, isGlobal: false },
  { path: join(dataDirectory, LOCK_NAME), project: dataDirectory, isGlobal: true },
];

/** Tells one state of the lock from the next without reading it; empty while there is none. */
export function lockStamp(path: string): string {
  try {
    // Most projects have none: to throw and catch would take longer than the look itself.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    // What is there and may not be looked at is told by who reads it.
    return code === 'ENOTDIR' ? '' : code;
  }
}
