// `repertoire mcp`: serves the skills to one MCP host over standard input and output, until the host goes or a signal comes.
import { startApp } from '../../app.ts';
import { keptPromise } from '../../async/kept-promise.ts';
import type { Catalog, RootStatus } from '../../catalog/catalog.ts';
import type { Settings } from '../../settings/config.ts';
import type { RuntimeEvent, RuntimeLog } from '../../skills/record/runtime-log.ts';
import { messageOf } from '../../values/error-text.ts';
import { openWebFolder } from '../answers/web-folder.ts';
import { openStdio, type StdioStreams, serveStdio } from '../mcp/wire/stdio.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createEventLog } from './event-log.ts';
import { followProblems } from './problem-log.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  if (process.stdin.isTTY && context.errors.isTerminal) context.errors.write(WAITING);
  return serveHost(context, { open: openStdio, log: createEventLog(), ...spareOptimiser(context.keepCompiled) });
}

export interface HostConnection {
  /** Called when there is something to serve. */
  readonly open: () => StdioStreams;
  readonly log: RuntimeLog;
  /** Called with the number of skills that are known. */
  readonly onStarted?: (skills: number) => void;
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
  onStarted?.(app.value.catalog.current.skills.length);
  const problems = tellProblems({ ...app.value, hasProject: context.values.has('project') }, log);
  try {
    await serveStdio(app.value.methods, { ...open(), log, signal });
  } finally {
    await problems.close();
    await app.value.close();
  }
  return 0;
}

/** After the first answers, which a host waits for: by then every skill has been searched for. */
const PROBLEMS_MS = 200;

interface Served {
  readonly catalog: Catalog;
  readonly settings: Settings;
  /** Named by an option. */
  readonly hasProject: boolean;
}

/** A quick look: what says more is loaded only where something is missing. */
function mayLackFolders({ catalog: { roots }, settings: { rootRequest }, hasProject }: Served): boolean {
  const isLacking = ({ root, state }: RootStatus) => state !== 'found' && rootRequest.given.includes(root.label);
  return roots.some(isLacking) || (hasProject && !roots.some(({ root, state }) => root.boundary && state === 'found'));
}

/** On standard error, now and when they change (T2). A host that goes at once leaves them there all the same. */
function tellProblems(served: Served, log: RuntimeLog): { close(): Promise<void> } {
  const following = keptPromise(async () => {
    if (mayLackFolders(served)) (await import('../../app/warn-of-folders.ts')).warnOfFolders(served, log);
    return followProblems(served.catalog, log);
  });
  const start = (): Promise<unknown> => served.catalog.whole().then(() => following.get());
  const timer = setTimeout(() => start().catch((error: unknown) => log(cannotTell(error))), PROBLEMS_MS).unref();
  return {
    close: async () => {
      clearTimeout(timer);
      const stop = await following.get();
      stop();
    },
  };
}

const cannotTell = (error: unknown): RuntimeEvent => ({
  level: 'error',
  message: `Cannot list the problems of the skills: ${messageOf(error)}`,
});

/** With fewer skills a start makes little that stays. */
const MANY_SKILLS = 500;

/**
 * Keeps V8 from optimising code that only a long start runs and, with many skills, from growing the room for short-lived
 * objects, of which there are few afterwards. From the start until all is quiet with 1,000 skills: 320 ms of CPU instead of
 * 510, 72 MB instead of 82. A start that needs no second turn of the event loop never gets here: loading `node:v8` costs
 * 2 ms of its 40.
 */
function spareOptimiser(keepCompiled: () => void) {
  const setFlag = (flag: string): void => process.getBuiltinModule('node:v8').setFlagsFromString(flag);
  let isSpared = false;
  let hasMany = false;
  const secondTurn = setImmediate(() => {
    isSpared = true;
    setFlag('--no-opt');
  });
  return {
    onStarted: (skills: number) => {
      clearImmediate(secondTurn);
      hasMany = skills >= MANY_SKILLS;
      if (hasMany) setFlag('--semi-space-growth-factor=1');
    },
    onLive: () => {
      if (isSpared) setFlag('--opt');
      // What is compiled under other flags than the next start has is of no use to it.
      if (hasMany) setFlag('--semi-space-growth-factor=2');
      keepCompiled();
      if (hasMany) setFlag('--semi-space-growth-factor=1');
    },
  };
}

/** A person who types this command sees nothing else: hosts talk to it over pipes. */
const WAITING =
  'Serving MCP over standard input and output: add this command to an agent host. Press Ctrl-C to stop.\n';
