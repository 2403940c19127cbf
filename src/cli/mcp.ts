// `repertoire mcp`: serves the skills to one MCP host over standard input and output, until the host goes or a signal comes.
import type { Catalog } from '../catalog/catalog.ts';
import { createNativeSkills } from '../catalog/native-skills.ts';
import type { Skill } from '../catalog/skill.ts';
import type { Settings } from '../config.ts';
import { createRepertoire } from '../repertoire.ts';
import { createMethodTable } from '../serve/mcp/table.ts';
import type { ViewOptions } from '../serve/mcp/view.ts';
import { openStdio } from '../serve/mcp/wire/open-stdio.ts';
import { serveStdio } from '../serve/mcp/wire/stdio.ts';
import { startCatalog } from '../start.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createEventLog, type LogEvent } from './event-log.ts';
import { holdOptimiser } from './hold-optimiser.ts';
import { keepRecords } from './keep-records.ts';
import { startTypedSide } from './typed-side.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const signal = context.stopSignal();
  if (process.stdin.isTTY && context.errors.isTerminal) context.errors.write(WAITING);
  const log = createEventLog();
  const callOff = holdOptimiser();
  const typed = await startTypedSide(context.settings, log);
  if (!typed.ok) {
    context.errors.write(`${typed.failure}\n`);
    return 1;
  }
  const { skills, tools } = typed.value;
  const settings = skills?.settings ?? context.settings;
  const catalog = await startCatalog(settings, {
    log: (message) => log({ level: 'info', message }),
    watch: true,
    early: true,
  });
  callOff();
  const records = keepRecords(settings, skills?.store, log);
  tellUnknownPins(catalog, settings.pinned, log);
  try {
    const repertoire = createRepertoire(catalog, { noteLoad: records.noteLoad, typed: skills?.runtime.skills ?? [] });
    const view = { ...viewOf(settings), loadsOf: ({ name }: Skill) => records.countOf(name) };
    const table = createMethodTable({ repertoire, version: context.version, view, typedTools: tools });
    await serveStdio(table, { ...openStdio(), log, signal });
  } finally {
    catalog.close();
    await records.close();
    await skills?.close();
  }
  return 0;
}

/** Long after the first answers: the skills are all known then, and nobody waits for this. */
const PINS_MS = 2_000;

function tellUnknownPins(catalog: Catalog, pinned: readonly string[], log: (event: LogEvent) => void): void {
  if (pinned.length === 0) return;
  const tell = () => {
    for (const name of pinned.filter((each) => catalog.current.findByName(each) === undefined)) {
      log({
        level: 'warn',
        message: `No skill is named "${name}", so --pin shows nothing for it; repertoire list has the names`,
      });
    }
  };
  setTimeout(tell, PINS_MS).unref();
}

const viewOf = ({ pinned, showNative, rootRequest }: Settings): ViewOptions =>
  showNative ? { pinned } : { pinned, findNative: createNativeSkills(rootRequest) };

/** A person who types this command sees nothing else: hosts talk to it over pipes. */
const WAITING = 'Serving MCP on standard input and output: put this command into an agent host. Ctrl-C ends it.\n';
