// `repertoire mcp`: serves the skills to one MCP host over standard input and output, until the host goes or a signal comes.
import { startApp } from '../../app.ts';
import type { RuntimeLog } from '../../skills/record/runtime-log.ts';
import { openWebFolder } from '../answers/web-folder.ts';
import { openStdio, type StdioStreams, serveStdio } from '../mcp/wire/stdio.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createEventLog } from './event-log.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  if (process.stdin.isTTY && context.errors.isTerminal) context.errors.write(WAITING);
  const thrift = createStartThrift();
  return serveHost(context, { open: openStdio, log: createEventLog(), onStarted: thrift.started, onLive: thrift.end });
}

export interface HostConnection {
  /** Called when there is something to serve. */
  readonly open: () => StdioStreams;
  readonly log: RuntimeLog;
  readonly onStarted?: () => void;
  /** Called when all that a start does after its first answers is done. */
  readonly onLive?: () => void;
}

/** One host, over any pair of streams. */
export async function serveHost(context: CommandContext, connection: HostConnection): Promise<ExitCode> {
  const signal = context.stopSignal();
  const { open, log, onStarted, onLive } = connection;
  const { settings, version, webDirectory } = context;
  const app = await startApp(settings, {
    version,
    log,
    web: openWebFolder(webDirectory),
    early: true,
    withTyped: settings.configFile !== undefined || (settings.builtin ?? []).length > 0,
    hasBuiltin: false,
    hostsAreHere: true,
    ...(onLive && { onLive }),
  });
  if (!app.ok) {
    context.errors.write(`${app.failure}\n`);
    return 1;
  }
  onStarted?.();
  try {
    await serveStdio(app.value.methods, { ...open(), log, signal });
  } finally {
    await app.value.close();
  }
  return 0;
}

/**
 * Keeps V8 from optimising code that only a long start runs, and from growing the room for short-lived objects, of which
 * there are few afterwards. From the start until all is quiet with 1,000 skills: 320 ms of CPU instead of 510, 72 MB
 * instead of 82. A start that needs no second turn of the event loop never gets here: loading `node:v8` costs 2 ms of its 40.
 */
function createStartThrift() {
  const setFlag = (flag: string): void => process.getBuiltinModule('node:v8').setFlagsFromString(flag);
  let isLong = false;
  const second = setImmediate(() => {
    isLong = true;
    setFlag('--no-opt');
  });
  return {
    started: () => {
      clearImmediate(second);
      if (isLong) setFlag('--semi-space-growth-factor=1');
    },
    end: () => {
      if (isLong) setFlag('--opt');
    },
  };
}

/** A person who types this command sees nothing else: hosts talk to it over pipes. */
const WAITING = 'Serving MCP on standard input and output: put this command into an agent host. Ctrl-C ends it.\n';
