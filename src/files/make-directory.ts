// A directory for its owner alone, with those above it that are missing.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../values/error-code.ts';

/** Level by level: where nothing can be made (`/proc`), Node's own `recursive` tries for ever. */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time has made it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
