// Whether the words of an entry start this program as a server and nothing else: of an entry from a project file no more is
// started. Options that execute a file, open a database or delete from the log are not among those it may have. Pure.
import { fail, ok, type Result } from '../../values/result.ts';
import type { Obstacle } from './attempt.ts';
import type { ProgramTarget } from './read-target.ts';

export interface OwnProgram {
  /** The words that start this program from anywhere; one of them may be looked up on the PATH. */
  readonly program: readonly string[];
  /** Those that start this very file. */
  readonly ownProgram: readonly string[];
}

/** The same server, started from this very file: what the PATH has in a folder of the project is not asked. */
export function findOwnServer(target: ProgramTarget, own: OwnProgram): Result<ProgramTarget, Obstacle> {
  const words = [target.command, ...target.args];
  const names = [['repertoire'], own.program, own.ownProgram].map((name) => [...name, 'mcp']);
  const name = names.find((each) => each.every((word, index) => words[index] === word));
  const options = words.slice(name?.length);
  if (name === undefined || Object.keys(target.variables).length > 0 || !areHarmless(options)) return fail(more);
  if (target.command === 'repertoire' && own.program[0] !== 'repertoire') return fail(notOnPath);
  const [command = target.command, ...args] = own.ownProgram;
  return ok({ command, args: [...args, 'mcp', ...options], variables: {} });
}

const more: Obstacle = {
  cause: 'not-started',
  message: 'The command was not started: it comes from a project file and runs more than Repertoire',
};

const notOnPath: Obstacle = {
  cause: 'command-not-found',
  message: 'Cannot start "repertoire": on your PATH, this program does not have that name',
};

/** What decides which skills are served, and whether that is noted. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  ['root', 'project', 'without', 'allow-links', 'agents', 'pin', 'rescan'].map((name) => `--${name}`),
);
const SWITCHES: ReadonlySet<string> = new Set(
  ['default-roots', 'show-native', 'no-remember', 'no-log'].map((name) => `--${name}`),
);

function areHarmless(words: readonly string[]): boolean {
  let isValue = false;
  for (const word of words) {
    // Another option is no value.
    if (isValue && word.startsWith('-')) return false;
    const isOption: boolean = !isValue;
    isValue = isOption && WITH_VALUE.has(word);
    if (isOption && !isValue && !SWITCHES.has(word) && !WITH_VALUE.has(beforeEquals(word))) return false;
  }
  return !isValue;
}

const beforeEquals = (word: string): string => word.slice(0, Math.max(0, word.indexOf('=')));
