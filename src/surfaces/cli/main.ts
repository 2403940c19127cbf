#!/usr/bin/env node
// The program's entry: reads the process once, runs a command, ends the process. Nothing else calls process.exit.
import { realpathSync } from 'node:fs';
import { readEnvironment } from '../../settings/environment.ts';
import { writeStandardOutput } from '../../settings/standard-output.ts';
import type { ExitCode } from './command.ts';
import { findProgram } from './program-command.ts';
import { runProgram } from './run-program.ts';
import { createPaint, wantsColour } from './terminal/colours.ts';
import type { Output } from './terminal/output.ts';

process.exit(await main());

async function main(): Promise<ExitCode> {
  const outputs = createOutputs();
  const code = await runProgram(process.argv.slice(2), {
    get output() {
      return outputs.output;
    },
    get errors() {
      return outputs.errors;
    },
    environment: readEnvironment,
    program: () => findProgram({ script: process.argv[1] ?? 'repertoire', path: process.env.PATH, realPath }),
    webDirectory: `${import.meta.dirname}/web`,
    stopSignal,
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
function createOutputs(): Outputs {
  let output: OpenOutput | undefined;
  let errors: OpenOutput | undefined;
  return {
    get output() {
      output ??= openOutput(process.stdout, writeStandardOutput);
      return output;
    },
    get errors() {
      errors ??= openOutput(process.stderr, (data, written) => process.stderr.write(data, written));
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

function openOutput(stream: NodeJS.WriteStream, write: Write): OpenOutput {
  // `repertoire list | head` closes the pipe: the reader has what it wanted.
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    columns: Math.max(40, stream.columns || 80),
    paint: createPaint(wantsColour(isTerminal, process.env)),
    write: (data) => write(data),
    flush: () => new Promise((resolve) => write('', () => resolve())),
  };
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
