#!/usr/bin/env node
// The built program's entry, a CommonJS file: without the loader of modules a start is 5 ms shorter. It runs the serving part,
// which has all that `repertoire mcp` needs for its first answers, and ends the process; run-process.ts does so, too, when an
// output breaks.
import { join } from 'node:path';
import { loadPart } from './compiled-part.ts';
import type { runProcess } from './run-process.ts';

/** Put in by the build: the name has a digest in it. */
declare const SERVING_FILE: string;

const { exports: serving, keepCompiled } = loadPart<{ readonly runProcess: typeof runProcess }>({
  path: join(import.meta.dirname, SERVING_FILE),
  keptIn: keptIn(process.argv, process.env.HOME),
  load: (specifier) => import(specifier),
});

serving.runProcess({ webDirectory: join(import.meta.dirname, 'web'), keepCompiled }).then((code) => process.exit(code));

/** In the usual data directory alone: one that `--data` names may have come from elsewhere, and this is code. */
function keptIn(words: readonly string[], home: string | undefined): string | undefined {
  const isElsewhere = words.some((word) => word === '--no-remember' || /^--data(=|$)/.test(word));
  return isElsewhere || !home?.startsWith('/') ? undefined : join(home, '.repertoire', 'remembered');
}
