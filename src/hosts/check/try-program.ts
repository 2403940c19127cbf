// Starts the program of an entry as a host would, asks it for its tools, and ends it again.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { doneWithin, within } from '../../async/within.ts';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { pathExists } from '../connect/config-file.ts';
import type { Attempt, Obstacle } from './attempt.ts';
import type { Variables } from './fill-target.ts';
import { findAnswer, meetServer, notMcp, type ServerLine, saidText } from './meet-server.ts';
import type { ProgramTarget } from './read-target.ts';

export interface ProgramPlace {
  /** Absolute: the folder that the host starts it in. */
  readonly folder: string;
  /** Of the host's own environment. */
  readonly variables: Variables;
  readonly version: string;
  readonly limitMs: number;
}

export async function tryProgram(target: ProgramTarget, place: ProgramPlace): Promise<Attempt> {
  const env = { ...passedOn(place.variables), ...target.variables };
  const isThere = () => canBeFound(target.command, env.PATH ?? '', place.folder);
  const started = start(target, place.folder, env);
  if (!started.ok) return fail(cannotStart(target.command, started.failure, isThere()));
  const child = started.value;
  const { line, ended } = openLine(child, (error) => cannotStart(target.command, error, isThere()));
  try {
    return await within(Promise.race([meetServer(line, place.version), ended]), place.limitMs, () =>
      fail(tooSlow(place.limitMs)),
    );
  } finally {
    await end(child);
  }
}

/** What no system takes, such as a NUL in an argument, is thrown at once. */
function start(
  { command, args }: ProgramTarget,
  folder: string,
  env: NodeJS.ProcessEnv,
): Result<ChildProcessWithoutNullStreams, Error> {
  try {
    return ok(spawn(command, args, { cwd: folder, env, stdio: 'pipe', windowsHide: true }));
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) === undefined) throw error;
    return fail(error);
  }
}

/** Many hosts pass on these alone: what works with them works with more. */
const PASSED_ON = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR'],
  ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
  ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
];

const passedOn = (variables: Variables): NodeJS.ProcessEnv =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])));

/** More than any list of tools; a program that pours out text is not read to its end. */
const MOST_TEXT = 16 * 1024 * 1024;
const LAST_WORDS = 4_000;

interface OpenLine {
  readonly line: ServerLine;
  /** What the program failed with, when it ends or cannot be started. */
  readonly ended: Promise<Result<never, Obstacle>>;
}

function openLine(child: ChildProcessWithoutNullStreams, explain: (error: Error) => Obstacle): OpenLine {
  const waiting = new Map<number, (answer: Result<unknown, Obstacle>) => void>();
  let [rest, length, lastWords, lastId] = ['', 0, '', 0];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    length += chunk.length;
    if (length > MOST_TEXT) for (const resolve of waiting.values()) resolve(fail(notMcp()));
    if (length > MOST_TEXT) return;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    const messages = lines.flatMap(parseLine);
    for (const [id, resolve] of waiting) {
      const answer = findAnswer(messages, id);
      if (answer !== undefined && waiting.delete(id)) resolve(answer);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    lastWords = (lastWords + chunk).slice(-LAST_WORDS);
  });
  // A program that has ended takes no more input; `ended` tells why.
  child.stdin.on('error', () => undefined);
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    line: {
      request: (method, params) =>
        new Promise((resolve) => {
          lastId += 1;
          waiting.set(lastId, resolve);
          send({ id: lastId, method, params });
        }),
      notify: async (method) => send({ method }),
    },
    ended: new Promise((resolve) => {
      child.once('error', (error) => resolve(fail(explain(error))));
      child.once('close', (code, signal) => resolve(fail(endedEarly(code ?? signal ?? 'unknown', lastWords))));
    }),
  };
}

/** A line that is no JSON is not for us: some programs print a greeting. */
function parseLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}

/** A name is looked for on the PATH, a path from the folder on. What stands in a folder that is closed to us is not there. */
function canBeFound(command: string, path: string, folder: string): boolean {
  const isName = !/[\\/]/.test(command);
  const folders = isName ? path.split(delimiter) : [''];
  return folders.some((each) => pathExists(resolve(folder, each, command)));
}

/** With a closed folder on the PATH, a command that is nowhere fails with EACCES, too. */
function cannotStart(command: string, error: Error, isThere: boolean): Obstacle {
  const code = codeOf(error);
  const isMissing = code === 'ENOENT' || (code === 'EACCES' && !isThere);
  return {
    cause: isMissing ? 'command-not-found' : 'program-failed',
    message: `Cannot start "${saidText(command)}": ${isMissing ? 'there is no such command' : saidText(codeOf(error) ?? error.message)}`,
  };
}

function endedEarly(code: number | string, lastWords: string): Obstacle {
  const lines = lastWords.split('\n').filter((line) => line.trim() !== '' && !STACK.test(line));
  const telling = lines.find((line) => /\bCannot\b|\b[A-Z]?\w*Error\b/.test(line)) ?? lines.at(-1);
  const said = telling === undefined ? '' : `: ${saidText(telling)}`;
  return { cause: 'program-failed', message: `The program exited with ${code}${said}` };
}

/** What Node prints around an error. */
const STACK = /^\s+at |^Node\.js v|^node:internal/;

const tooSlow = (limitMs: number): Obstacle => ({
  cause: 'timed-out',
  message: `The program did not answer within ${limitMs / 1_000} seconds`,
});

const ASK_MS = 3_000;
const TERM_MS = 2_000;

/** As a host does it: its input closes, then signals. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  if (await doneWithin(gone, ASK_MS)) return;
  child.kill('SIGTERM');
  if (await doneWithin(gone, TERM_MS)) return;
  child.kill('SIGKILL');
  // A process of its own may hold the pipes open: nothing is waited for any more.
  for (const pipe of child.stdio) pipe?.destroy();
}
