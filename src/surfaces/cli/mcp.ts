// `repertoire mcp`: serves the skills to one MCP host over standard input and output, until the host goes or a signal comes.
import { startApp } from '../../app.ts';
import type { RuntimeLog } from '../../skills/record/runtime-log.ts';
import { openWebFolder } from '../answers/web-folder.ts';
import { openStdio, type StdioStreams, serveStdio } from '../mcp/wire/stdio.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createEventLog } from './event-log.ts';
import { holdOptimiser } from './hold-optimiser.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  if (process.stdin.isTTY && context.errors.isTerminal) context.errors.write(WAITING);
  const release = holdOptimiser();
  return serveHost(context, { open: openStdio, log: createEventLog(), onStarted: release });
}

export interface HostConnection {
  /** Called when there is something to serve. */
  readonly open: () => StdioStreams;
  readonly log: RuntimeLog;
  readonly onStarted?: () => void;
}

/** One host, over any pair of streams. */
export async function serveHost(context: CommandContext, connection: HostConnection): Promise<ExitCode> {
  const signal = context.stopSignal();
  const { open, log, onStarted } = connection;
  const { settings, version, webDirectory } = context;
  const app = await startApp(settings, {
    version,
    log,
    web: openWebFolder(webDirectory),
    early: true,
    withTyped: settings.configFile !== undefined || (settings.builtin ?? []).length > 0,
    hasBuiltin: false,
    hostsAreHere: true,
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

/** A person who types this command sees nothing else: hosts talk to it over pipes. */
const WAITING = 'Serving MCP on standard input and output: put this command into an agent host. Ctrl-C ends it.\n';
