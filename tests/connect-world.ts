// A temporary home and project in which `connect` is run inside this process, with what it prints kept as text.
// The library takes the home directory when it is loaded: it is the same one for every test file of a process, and a world
// is created before anything else.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { resolveSettings } from '../src/settings/config.ts';
import type { CommandContext } from '../src/surfaces/cli/command.ts';
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
  const path = folderOfProcess();
  const [home, project] = [join(path, 'a home'), join(path, 'a project')];
  const formerHome = process.env.HOME;
  for (const name of ['XDG_CONFIG_HOME', 'CODEX_HOME', 'CLINE_DIR']) delete process.env[name];
  process.env.HOME = home;
  const reset = () => {
    for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
    for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  };
  reset();
  return {
    home,
    project,
    reset,
    run: async (words, options = {}) => runConnect(words, { home, project, ...options }),
    remove: () => {
      if (formerHome === undefined) delete process.env.HOME;
      else process.env.HOME = formerHome;
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Kept in the environment: a module is loaded anew for each test file, the library is not. */
function folderOfProcess(): string {
  process.env.CONNECT_WORLD ??= realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-connect-')));
  return process.env.CONNECT_WORLD;
}

async function runConnect(
  words: readonly string[],
  { home, project, variables = {}, answers }: RunOptions & { readonly home: string; readonly project: string },
): Promise<Ended> {
  const { run } = await import('../src/surfaces/cli/connect.ts');
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
  return { operands, flags, values, settings, environment, version, program: () => program, webDirectory, stopSignal };
}
