// How this process was started, for the pages that it serves: the commands that they show work on this machine.
import type { Launch } from '../../app/host-guide.ts';
import { machineWith } from '../../hosts/connect/config-file.ts';
import type { CommandContext } from './command.ts';
import { createServerCommand, type GivenForServer, givenIn, hasDatabaseUrl } from './server-command.ts';
import { toHomePath } from './terminal/display-path.ts';

export function createLaunch(context: CommandContext): Launch {
  const { settings, environment } = context;
  const program = context.program();
  return {
    program,
    server: createServerCommand(program, settings, givenIn(context)),
    options: {
      store: storeOptions(context),
      catalog: catalogOptions(context),
      typed: typedOptions(context),
      sources: sourceOptions(context),
    },
    machine: machineWith(environment),
    project: settings.rootRequest.project,
    showPath: (path) => toHomePath(path, environment.home),
  };
}

/** An address of a database may hold a password: a word stands for it. */
function storeOptions(context: CommandContext): readonly string[] {
  if (hasDatabaseUrl(context)) return ['--database-url', 'URL'];
  return context.values.has('data') ? ['--data', context.settings.dataDirectory] : [];
}

/** The lock lies in the project: wherever the command is typed. */
const sourceOptions = ({ values, settings }: CommandContext): readonly string[] => [
  ...['--project', settings.rootRequest.project],
  ...(values.has('data') ? ['--data', settings.dataDirectory] : []),
];

const NOTHING_SAID: GivenForServer = { roots: [], project: undefined, rescan: undefined };

/** What no other command takes is left out. */
const forOthers = ({ settings }: CommandContext) => ({
  ...settings,
  pinned: [],
  showNative: false,
  isRemembered: true,
  agent: undefined,
});

function catalogOptions(context: CommandContext): readonly string[] {
  const { roots, project } = givenIn(context);
  return createServerCommand([], forOthers(context), { ...NOTHING_SAID, roots, project }).slice(1);
}

function typedOptions(context: CommandContext): readonly string[] {
  const settings = forOthers(context);
  const withoutCatalog = {
    ...settings,
    without: [],
    allowLinks: [],
    rootRequest: { ...settings.rootRequest, agents: [] },
  };
  const typed = { data: undefined, log: undefined, noLog: false, keep: undefined };
  const words = createServerCommand([], withoutCatalog, { ...NOTHING_SAID, typed }).slice(1);
  return [...words, ...storeOptions(context)];
}
