// One run of the program in a given world: reads the words, chooses a command, runs it. Touches no process of its own.

import packageJson from '../../../package.json' with { type: 'json' };
import { type Environment, resolveSettings } from '../../settings/config.ts';
import { createHider, withoutCredentials } from '../../text/credentials.ts';
import { STEERING, showCode } from '../../text/one-line.ts';
import { toShellLine } from '../../text/shell-line.ts';
import { codeOf } from '../../values/error-code.ts';
import { messageOf } from '../../values/error-text.ts';
import { chooseCommand, findUsageFault } from './choose-command.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { commandsFor } from './commands.ts';
import { givenOptions, type ParsedArguments, parseArguments } from './parse-arguments.ts';
import type { Output } from './terminal/output.ts';

/** Everything that a run may know of the process it is in. */
export interface ProgramWorld
  extends Pick<CommandContext, 'program' | 'ownProgram' | 'webDirectory' | 'keepCompiled' | 'stopSignal'> {
  readonly output: Output;
  readonly errors: Output;
  /** Asked only when a command runs: help and version need none of it. */
  readonly environment: () => Environment;
  /** How many files it may have open at a time, if that is known. */
  readonly openFileLimit: () => number | undefined;
}

/** Never rejects: a failure of ours is one line on standard error. */
export async function runProgram(words: readonly string[], world: ProgramWorld): Promise<ExitCode> {
  try {
    return await choose(words, world);
  } catch (error) {
    world.errors.write(toSentence(failureSentence(error, world)));
    return 1;
  }
}

/** Modules are files, too: with few descriptors a start fails in the middle of loading them (F6). */
function failureSentence(error: unknown, { openFileLimit }: ProgramWorld): string {
  const code = codeOf(error);
  if (code === 'EMFILE') {
    const limit = openFileLimit();
    const most = limit === undefined ? 'no more files' : `only ${limit} files at a time`;
    return `Cannot run: this process may open ${most}; raise the limit with "ulimit -n 1024" in the shell that starts it`;
  }
  if (code === 'ENFILE') return 'Cannot run: the whole system has too many files open; stop programs that hold many';
  return `Repertoire failed: ${messageOf(error)}`;
}

async function choose(words: readonly string[], given: ProgramWorld): Promise<ExitCode> {
  const parsed = parseArguments(words);
  if (!parsed.ok) return refuse(parsed.failure, given);
  const world = guardWorld(given, createHider(shownArguments(parsed.value)));
  const commands = await commandsFor(parsed.value);
  const choice = chooseCommand(parsed.value, commands);
  if (!choice.ok) return refuse(choice.failure, world);
  if (choice.value.kind === 'version') {
    world.output.write(`${packageJson.version}\n`);
    return 0;
  }
  if (choice.value.kind === 'help') {
    const { renderHelp } = await import('./help.ts');
    const program = toShellLine(world.program());
    world.output.write(renderHelp({ topic: choice.value.topic, commands, program }, world.output));
    return 0;
  }
  const usageFault = await findUsageFault(parsed.value);
  if (usageFault !== undefined) return refuse(usageFault, world);
  const { run } = await choice.value.command.load();
  const context = createContext(parsed.value, world);
  const addressFault = await findFaultInOption(parsed.value, context);
  if (addressFault !== undefined) return refuse(addressFault, world);
  return run(context);
}

/** All that a command may repeat. An input is passed on to a skill, and what the skill makes of it is the caller's own. */
const shownArguments = ({ operands, values }: ParsedArguments): readonly string[] => [
  ...operands,
  ...[...values].flatMap(([name, texts]) => (name === 'input' ? [] : texts)),
];

function guardWorld(world: ProgramWorld, hide: (text: string) => string): ProgramWorld {
  const { environment, openFileLimit, program, ownProgram, webDirectory, keepCompiled, stopSignal } = world;
  return {
    // As below: opened by the first look.
    get output() {
      return guardOutput(world.output, hide);
    },
    get errors() {
      return guardOutput(world.errors, hide);
    },
    environment,
    openFileLimit,
    program,
    ownProgram,
    webDirectory,
    keepCompiled,
    stopSignal,
  };
}

/** First our own: colours, and the line that is drawn anew. */
const STEERS = new RegExp(`(\\x1b\\[(?:\\d{1,2}m|K)|\\r(?=\\x1b\\[K))|[\\0-\\x08\\x0b-\\x1f${STEERING}]`, 'gu');
const PLAIN = /^[\x20-\x7e\n\t]*$/;

/**
 * The last place that every text passes: whatever a command has forgotten, no credential that was given to it is repeated, and
 * what steers a terminal is shown by its code. Bytes are a document as it is, for a program.
 */
export function guardOutput(output: Output, hide: (text: string) => string): Output {
  const { isTerminal, columns, paint } = output;
  const guard = (text: string) =>
    PLAIN.test(text) ? text : text.replace(STEERS, (found, ours?: string) => ours ?? showCode(found));
  return {
    isTerminal,
    columns,
    paint,
    write: (data) => output.write(typeof data === 'string' ? guard(hide(data)) : data),
  };
}

/** Laid out only where a person reads it: nothing is loaded for a program. */
async function refuse(given: string, { errors, program }: ProgramWorld): Promise<ExitCode> {
  const sentence = given.replace(/(?<= (?:see|example) )repertoire(?= )/, () => toShellLine(program()));
  if (errors.isTerminal) (await import('./terminal/output.ts')).saySentence(errors, toSentence(sentence));
  else errors.write(toSentence(sentence));
  return 2;
}

export function createContext(parsed: ParsedArguments, world: ProgramWorld): CommandContext {
  const { operands, flags, values } = parsed;
  const environment = world.environment();
  return {
    operands,
    flags,
    values,
    settings: resolveSettings(givenOptions(parsed), environment),
    environment,
    version: packageJson.version,
    program: world.program,
    ownProgram: world.ownProgram,
    webDirectory: world.webDirectory,
    keepCompiled: world.keepCompiled,
    // Not copied: an output is opened by the first look at it.
    get output() {
      return world.output;
    },
    get errors() {
      return world.errors;
    },
    stopSignal: world.stopSignal,
  };
}

/** Only where such an option was given: a start of `mcp` without it loads nothing for this. */
async function findFaultInOption(parsed: ParsedArguments, context: CommandContext): Promise<string | undefined> {
  return (await findStoreFaultIn(parsed, context)) ?? (await findProjectFault(parsed, context));
}

/** A server goes on: the folder may be made later (D1). A command that looks once would find nothing, or make the folder. */
const SERVERS: ReadonlySet<string | undefined> = new Set(['mcp', 'serve']);

async function findProjectFault({ command, values }: ParsedArguments, { settings }: CommandContext) {
  const [given] = values.get('project') ?? [];
  if (given === undefined) return undefined;
  const { pathExists } = await import('../../hosts/connect/config-file.ts');
  if (SERVERS.has(command) || pathExists(settings.rootRequest.project)) return undefined;
  return `Cannot use the project "${given}": there is no such folder; check the value of --project`;
}

async function findStoreFaultIn({ values }: ParsedArguments, context: CommandContext): Promise<string | undefined> {
  if (!values.has('database-url')) return undefined;
  const { findStoreFault } = await import('./serve-fault.ts');
  return findStoreFault(context)?.sentence;
}

/** Arguments and error texts may hold anything; a terminal gets one harmless line. */
function toSentence(text: string): string {
  return `${withoutCredentials(text).replace(/[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '?')}\n`;
}
