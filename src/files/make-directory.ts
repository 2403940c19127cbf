// A directory, with those above it that are missing.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../values/error-code.ts';

/** Level by level: where nothing can be made (`/proc`), Node's own `recursive` tries for ever. Without a mode: for its owner alone. */
export function makeDirectory(path: string, mode = 0o700): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process that starts at the same time has made it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
