// How much memory a process and those that it started hold for themselves, where the system tells without starting a program.
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:process';
import { codeOf } from '../../values/error-code.ts';

/** In bytes; without files that are mapped, which are large and cost nothing. 0: it is not known here. */
export function findOwnBytes(pid: number): number {
  if (platform !== 'linux') return 0;
  return childrenOf(pid).reduce((sum, child) => sum + findOwnBytes(child), anonymousBytes(pid));
}

const childrenOf = (pid: number): readonly number[] =>
  threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );

const anonymousBytes = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

/** Empty: it has just ended, or /proc is not there. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return '';
  }
}
