// `repertoire mcp`: serves the skills to one MCP host over standard input and output, until the host goes or a signal comes.
import { createNativeSkills } from '../catalog/native-skills.ts';
import type { Settings } from '../config.ts';
import { createRepertoire } from '../repertoire.ts';
import { createMethodTable } from '../serve/mcp/table.ts';
import type { ViewOptions } from '../serve/mcp/view.ts';
import { openStdio } from '../serve/mcp/wire/open-stdio.ts';
import { serveStdio } from '../serve/mcp/wire/stdio.ts';
import { startCatalog } from '../start.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createEventLog } from './event-log.ts';
import { holdOptimiser } from './hold-optimiser.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { settings, version } = context;
  const signal = context.stopSignal();
  if (process.stdin.isTTY && context.errors.isTerminal) context.errors.write(WAITING);
  const log = createEventLog();
  const callOff = holdOptimiser();
  const catalog = await startCatalog(settings, {
    log: (message) => log({ level: 'info', message }),
    watch: true,
    early: true,
  });
  callOff();
  try {
    const table = createMethodTable({ repertoire: createRepertoire(catalog), version, view: viewOf(settings) });
    await serveStdio(table, { ...openStdio(), log, signal });
  } finally {
    catalog.close();
  }
  return 0;
}

const viewOf = ({ pinned, showNative, rootRequest }: Settings): ViewOptions =>
  showNative ? { pinned } : { pinned, findNative: createNativeSkills(rootRequest) };

/** A person who types this command sees nothing else: hosts talk to it over pipes. */
const WAITING = 'Serving MCP on standard input and output: put this command into an agent host. Ctrl-C ends it.\n';
