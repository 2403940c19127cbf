// `repertoire mcp`: serves the skills to one MCP host over standard input and output, until the host goes or a signal comes.
import { openStdio } from '../serve/mcp/wire/open-stdio.ts';
import { serveStdio } from '../serve/mcp/wire/stdio.ts';
import { openWebFolder } from '../serve/web-folder.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createEventLog } from './event-log.ts';
import { holdOptimiser } from './hold-optimiser.ts';
import { startServedSkills } from './served-skills.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const signal = context.stopSignal();
  if (process.stdin.isTTY && context.errors.isTerminal) context.errors.write(WAITING);
  const log = createEventLog();
  const callOff = holdOptimiser();
  const { settings, version, webDirectory } = context;
  const withTyped = settings.configFile !== undefined || (settings.builtin ?? []).length > 0;
  const served = await startServedSkills(settings, {
    version,
    log,
    early: true,
    withTyped,
    hasBuiltin: false,
    hostsAreHere: true,
    app: openWebFolder(webDirectory),
  });
  if (!served.ok) {
    context.errors.write(`${served.failure}\n`);
    return 1;
  }
  callOff();
  try {
    await serveStdio(served.value.table, { ...openStdio(), log, signal });
  } finally {
    await served.value.close();
  }
  return 0;
}

/** A person who types this command sees nothing else: hosts talk to it over pipes. */
const WAITING = 'Serving MCP on standard input and output: put this command into an agent host. Ctrl-C ends it.\n';
