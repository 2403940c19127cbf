// `repertoire mcp`: serves the skills to one MCP host over standard input and output, until the host goes or a signal comes.
import { startApp } from '../../app.ts';
import type { RuntimeLog } from '../../skills/record/runtime-log.ts';
import { openWebFolder } from '../answers/web-folder.ts';
import { openStdio, type StdioStreams, serveStdio } from '../mcp/wire/stdio.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createEventLog } from './event-log.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  if (process.stdin.isTTY && context.errors.isTerminal) context.errors.write(WAITING);
  setOptimiser('--no-opt');
  return serveHost(context, { open: openStdio, log: createEventLog(), onWhole: () => setOptimiser('--opt') });
}

export interface HostConnection {
  /** Called when there is something to serve. */
  readonly open: () => StdioStreams;
  readonly log: RuntimeLog;
  /** Called when all folders were read for the first time. */
  readonly onWhole?: () => void;
}

/** One host, over any pair of streams. */
export async function serveHost(context: CommandContext, connection: HostConnection): Promise<ExitCode> {
  const signal = context.stopSignal();
  const { open, log, onWhole } = connection;
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
  if (onWhole) void app.value.catalog.whole().then(onWhole);
  try {
    await serveStdio(app.value.methods, { ...open(), log, signal });
  } finally {
    await app.value.close();
  }
  return 0;
}

/**
 * While the folders are read for the first time V8 optimises nothing: most of that code runs only then. CPU until the first
 * answer with 1,000 skills: 160 ms instead of 208; with 10,000: 1,120 instead of 1,300; with 17 there is no difference.
 */
const setOptimiser = (flag: '--no-opt' | '--opt'): void => process.getBuiltinModule('node:v8').setFlagsFromString(flag);

/** A person who types this command sees nothing else: hosts talk to it over pipes. */
const WAITING = 'Serving MCP on standard input and output: put this command into an agent host. Ctrl-C ends it.\n';
