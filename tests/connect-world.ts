// A temporary home and project in which `connect` is run inside this process, with what it prints kept as text.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { resolveSettings } from '../src/settings/config.ts';
import type { CommandContext } from '../src/surfaces/cli/command.ts';
import { run } from '../src/surfaces/cli/connect.ts';
import { givenOptions, parseArguments } from '../src/surfaces/cli/parse-arguments.ts';
import { createPaint } from '../src/surfaces/cli/terminal/colours.ts';
import type { Output } from '../src/surfaces/cli/terminal/output.ts';

export interface ConnectWorld {
  readonly home: string;
  readonly project: string;
  /** Runs `connect` with these words. */
  run(words: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Empties home and project. */
  reset(): void;
  remove(): void;
}

interface RunOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** What the person at the terminal types, one by one; absent: there is no terminal. */
  readonly answers?: readonly string[];
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts this checkout's sources without a build. */
const program = ['node', '--import', 'tsx', resolve('src/surfaces/cli/main.ts')];

export function createConnectWorld(): ConnectWorld {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-connect-')));
  const [home, project] = [join(path, 'a home'), join(path, 'a project')];
  const reset = () => {
    for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
    for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  };
  reset();
  return {
    home,
    project,
    reset,
    run: (words, options = {}) => runConnect(words, { home, project, ...options }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

async function runConnect(
  words: readonly string[],
  { home, project, variables = {}, answers }: RunOptions & { readonly home: string; readonly project: string },
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const output = (name: keyof typeof printed): Output => ({
    isTerminal: answers !== undefined,
    columns: 100,
    paint: createPaint(false),
    write: (data) => {
      printed[name] += String(data);
    },
  });
  const waiting = [...(answers ?? [])];
  const ask = answers === undefined ? undefined : () => Promise.resolve(waiting.shift());
  const context = createContext(words, { home, project, variables });
  const code = await run({ ...context, output: output('stdout'), errors: output('stderr') }, ask);
  return { code, ...printed };
}

function createContext(
  words: readonly string[],
  {
    home,
    project,
    variables,
  }: { readonly home: string; readonly project: string } & Required<Pick<RunOptions, 'variables'>>,
): Omit<CommandContext, 'output' | 'errors'> {
  const parsed = parseArguments(['connect', ...words]);
  if (!parsed.ok) throw new Error(parsed.failure);
  const { operands, flags, values } = parsed.value;
  const environment = { home, workingDirectory: project, variables };
  const settings = resolveSettings(givenOptions(parsed.value), environment);
  const stopSignal = () => new AbortController().signal;
  const webDirectory = '/dev/null/web';
  const version = '0';
  return {
    operands,
    flags,
    values,
    settings,
    environment,
    version,
    program: () => program,
    ownProgram: () => program,
    webDirectory,
    keepCompiled: () => {},
    stopSignal,
  };
}
