#!/usr/bin/env node
// The program's entry: reads the world once, chooses a command, ends the process. Nothing else calls process.exit.
import { realpathSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { type Environment, resolveSettings } from '../config.ts';
import { chooseCommand } from './choose-command.ts';
import { createPaint, wantsColour } from './colours.ts';
import type { CommandContext, ExitCode, Output } from './command.ts';
import { givenOptions } from './given-options.ts';
import { type ParsedArguments, parseArguments } from './parse-arguments.ts';
import { findProgram } from './program-command.ts';
import { findUsageFault } from './usage-fault.ts';

process.exit(await main());

async function main(): Promise<ExitCode> {
  const outputs = createOutputs();
  try {
    return await runProgram(process.argv.slice(2), outputs);
  } catch (error) {
    outputs.errors.write(toSentence(`Repertoire failed: ${error instanceof Error ? error.message : String(error)}`));
    return 1;
  } finally {
    await outputs.flush();
  }
}

async function runProgram(words: readonly string[], outputs: Outputs): Promise<ExitCode> {
  const parsed = parseArguments(words);
  if (!parsed.ok) return refuse(parsed.failure, outputs);
  const choice = chooseCommand(parsed.value);
  if (!choice.ok) return refuse(choice.failure, outputs);
  if (choice.value.kind === 'version') {
    outputs.output.write(`${packageJson.version}\n`);
    return 0;
  }
  if (choice.value.kind === 'help') {
    const { renderHelp } = await import('./help.ts');
    outputs.output.write(renderHelp(choice.value.topic, outputs.output));
    return 0;
  }
  const usageFault = await findUsageFault(parsed.value);
  if (usageFault !== undefined) return refuse(usageFault, outputs);
  const { run } = await choice.value.command.load();
  const context = createContext(parsed.value, outputs);
  const addressFault = await findDatabaseFault(parsed.value, context);
  if (addressFault !== undefined) return refuse(addressFault, outputs);
  return run(context);
}

function refuse(sentence: string, { errors }: Outputs): ExitCode {
  errors.write(toSentence(sentence));
  return 2;
}

function createContext(parsed: ParsedArguments, outputs: Outputs): CommandContext {
  const { operands, flags, values } = parsed;
  const environment: Environment = {
    home: homeDirectory(),
    workingDirectory: workingDirectory(),
    variables: process.env,
  };
  return {
    operands,
    flags,
    values,
    settings: resolveSettings(givenOptions(parsed), environment),
    environment,
    version: packageJson.version,
    program: () => findProgram({ script: process.argv[1] ?? 'repertoire', path: process.env.PATH, realPath }),
    webDirectory: `${import.meta.dirname}/web`,
    get output() {
      return outputs.output;
    },
    get errors() {
      return outputs.errors;
    },
    stopSignal,
  };
}

/** Only where `--database-url` was given: a start of `mcp` without it loads nothing for this. */
async function findDatabaseFault({ values }: ParsedArguments, context: CommandContext): Promise<string | undefined> {
  if (!values.has('database-url')) return undefined;
  const { findAddressFault } = await import('./address-fault.ts');
  return findAddressFault(context)?.sentence;
}

/** Where it was deleted, absolute paths still work. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return process.env.PWD ?? '/';
  }
}

/** `node:os` costs a millisecond of every start, and on POSIX it looks at HOME first, too. */
function homeDirectory(): string {
  const home = process.platform === 'win32' ? undefined : process.env.HOME;
  if (home) return home;
  const os = process.getBuiltinModule('node:os');
  // An empty HOME is no home.
  return os.homedir() || os.userInfo().homedir;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // Not there or not ours to see: either way not a program that can be started.
  }
}

interface Outputs {
  readonly output: Output;
  readonly errors: Output;
  flush(): Promise<void>;
}

/** Opened at first use: `mcp` opens standard output in its own way, and what is not opened costs nothing. */
function createOutputs(): Outputs {
  let output: Output | undefined;
  let errors: Output | undefined;
  return {
    get output() {
      output ??= openOutput(process.stdout);
      return output;
    },
    get errors() {
      errors ??= openOutput(process.stderr);
      return errors;
    },
    async flush() {
      if (output) await flushStream(process.stdout);
      if (errors) await flushStream(process.stderr);
    },
  };
}

function openOutput(stream: NodeJS.WriteStream): Output {
  // `repertoire list | head` closes the pipe: the reader has what it wanted.
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    columns: Math.max(40, stream.columns || 80),
    paint: createPaint(wantsColour(isTerminal, process.env)),
    write: (data) => void ownWrite(stream, data),
  };
}

function flushStream(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => ownWrite(stream, '', () => resolve()));
}

/** By the class's own `write`: user-config.ts replaces the one of `process.stdout`, so that user code writes to standard error. */
function ownWrite(stream: NodeJS.WriteStream, data: string | Uint8Array, written?: () => void): void {
  Object.getPrototypeOf(stream).write.call(stream, data, written);
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Arguments and error texts may hold anything; a terminal gets one harmless line. */
function toSentence(text: string): string {
  return `${text.replace(/[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '?')}\n`;
}
