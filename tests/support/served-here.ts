// `repertoire mcp` in this process, over streams of its own: the same code as in the program, without the start of one.

import { PassThrough, type Writable } from 'node:stream';
import type { Environment } from '../../src/settings/config.ts';
import { createEventLog } from '../../src/surfaces/cli/event-log.ts';
import { serveHost } from '../../src/surfaces/cli/mcp.ts';
import { parseArguments } from '../../src/surfaces/cli/parse-arguments.ts';
import { createContext } from '../../src/surfaces/cli/run-program.ts';
import { createPaint } from '../../src/surfaces/cli/terminal/colours.ts';
import type { Output } from '../../src/surfaces/cli/terminal/output.ts';
import type { Exit, Server } from './raw-client.ts';

export function serveHere(args: readonly string[], environment: Environment): Server {
  const parsed = parseArguments(['mcp', ...args]);
  if (!parsed.ok) throw new Error(parsed.failure);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const context = createContext(parsed.value, {
    output: outputOn(stdout),
    errors: outputOn(stderr),
    environment: () => environment,
    openFileLimit: () => undefined,
    program: () => ['repertoire'],
    ownProgram: () => ['repertoire'],
    webDirectory: `${import.meta.dirname}/../../dist/web`,
    keepCompiled: () => {},
    stopSignal: () => stop.signal,
  });
  const open = () => ({ input: stdin, output: stdout });
  const serving = serveHost(context, { open, log: createEventLog(() => stderr) });
  const exited = serving.then((code): Exit => ({ code, signal: null }));
  return { pid: process.pid, stdin, stdout, stderr, exited, kill: () => stop.abort() };
}

const outputOn = (stream: Writable): Output => ({
  isTerminal: false,
  columns: 80,
  paint: createPaint(false),
  write: (data) => void stream.write(data),
});
