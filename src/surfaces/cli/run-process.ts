// The program in this process: reads it once, runs a command, and answers the exit code; main.ts and start.ts end the process with
// it. An output that breaks for another reason than a closed pipe ends it at once.
import { realpathSync } from 'node:fs';
import { readEnvironment, readOpenFileLimit, readVariables } from '../../settings/environment.ts';
import { writeStandardError, writeStandardOutput } from '../../settings/standard-output.ts';
import { codeOf } from '../../values/error-code.ts';
import type { ExitCode } from './command.ts';
import { findProgram } from './program-command.ts';
import { runProgram } from './run-program.ts';
import { createPaint, wantsColour } from './terminal/colours.ts';
import type { Output } from './terminal/output.ts';

export interface ProcessOptions {
  /** Absolute: where the pages were built. */
  readonly webDirectory: string;
  /** Keeps what V8 has compiled of this program, for the next start. */
  readonly keepCompiled: () => void;
}

export async function runProcess({ webDirectory, keepCompiled }: ProcessOptions): Promise<ExitCode> {
  const stop = new AbortController();
  // What runs until it is stopped has no reader any more.
  const outputs = createOutputs(() => stop.abort());
  const script = process.argv[1] ?? 'repertoire';
  const code = await runProgram(process.argv.slice(2), {
    get output() {
      return outputs.output;
    },
    get errors() {
      return outputs.errors;
    },
    environment: readEnvironment,
    openFileLimit: readOpenFileLimit,
    program: () => findProgram({ script, path: readVariables().PATH, realPath }),
    ownProgram: () => [process.execPath, realPath(script) ?? script],
    webDirectory,
    keepCompiled,
    stopSignal: stopOnSignals(stop),
  });
  await outputs.flush();
  return code;
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
function createOutputs(onGone: () => void): Outputs {
  let output: OpenOutput | undefined;
  let errors: OpenOutput | undefined;
  return {
    get output() {
      output ??= openOutput(process.stdout, writeStandardOutput, onGone);
      return output;
    },
    get errors() {
      errors ??= openOutput(process.stderr, writeStandardError);
      return errors;
    },
    async flush() {
      await output?.flush();
      await errors?.flush();
    },
  };
}

interface OpenOutput extends Output {
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

type Write = (data: string | Uint8Array, written?: () => void) => void;

/** `repertoire list | head` closes the pipe: the reader has what it wanted, and the command ends with its own exit code. */
function openOutput(stream: NodeJS.WriteStream, write: Write, onGone = () => {}): OpenOutput {
  let isGone = false;
  stream.on('error', (error) => {
    if (codeOf(error) !== 'EPIPE') process.exit(1);
    isGone = true;
    onGone();
  });
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    columns: Math.max(40, stream.columns || 80),
    paint: createPaint(wantsColour(isTerminal, readVariables())),
    write: (data) => {
      if (!isGone) write(data);
    },
    flush: () => new Promise((resolve) => (isGone ? resolve() : write('', () => resolve()))),
  };
}

/** The signals are taken over once, however often it is asked for: `sync` asks for every source. */
function stopOnSignals(controller: AbortController): () => AbortSignal {
  let isTaken = false;
  return () => {
    const names = isTaken ? [] : (['SIGINT', 'SIGTERM', 'SIGHUP'] as const);
    for (const name of names) process.once(name, () => controller.abort());
    isTaken = true;
    return controller.signal;
  };
}
