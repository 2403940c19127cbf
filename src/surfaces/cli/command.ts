// What a command is: a few words for the help, what it takes, and a function from its context to an exit code.
import type { Environment, Settings } from '../../settings/config.ts';
import type { OptionName } from './options.ts';
import type { Output } from './terminal/output.ts';

/** 0 done · 1 problem found or failure · 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

export interface CommandContext {
  /** What stands after the command's name. */
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<OptionName>;
  readonly values: ReadonlyMap<OptionName, readonly string[]>;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly version: string;
  /** The words that start this program from anywhere: `['repertoire']` or `['node', '/…/dist/cli.js']`. */
  readonly program: () => readonly string[];
  /** Those that start this very file with this very Node, whatever the PATH says. */
  readonly ownProgram: () => readonly string[];
  /** Absolute: where the pages were built, beside the program. */
  readonly webDirectory: string;
  /** Keeps what V8 has compiled of the program, for the next start. */
  readonly keepCompiled: () => void;
  readonly output: Output;
  readonly errors: Output;
  /** Aborted when the operator or the system asks this process to end. Asking for it takes over those signals. */
  readonly stopSignal: () => AbortSignal;
}

type Run = (context: CommandContext) => Promise<ExitCode>;

export interface Command {
  /** One line for the overview. */
  readonly summary: string;
  /** What follows the command's name: `NAME`, `[PATH]`, or nothing. Upper case without brackets is required; `WORDS...` takes all. */
  readonly operands: readonly string[];
  readonly options: readonly OptionName[];
  /** The arguments of one useful call, for the help. */
  readonly example: string;
  readonly load: () => Promise<{ readonly run: Run }>;
}
