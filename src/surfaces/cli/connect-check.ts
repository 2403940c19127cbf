// `repertoire connect [HOST] --check`: tries the entries that hosts have, as the hosts would, and says what is still needed.
import type { Attempt } from '../../hosts/check/attempt.ts';
import { findNeeds } from '../../hosts/check/find-needs.ts';
import type { EntryTarget } from '../../hosts/check/read-target.ts';
import { type TriedEntry, tryEntry } from '../../hosts/check/try-entry.ts';
import { machineWith } from '../../hosts/connect/config-file.ts';
import { readEntry } from '../../hosts/connect/connect-host.ts';
import type { Fields } from '../../hosts/connect/fields.ts';
import { type ConfigScope, type ConnectableHost, findConfigPath } from '../../hosts/connect/host-files.ts';
import { surveyHosts } from '../../hosts/connect/survey-hosts.ts';
import { fail } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { findHost } from './connect-choice.ts';
import { fixFor } from './connect-fix.ts';
import { hintLine } from './hint-line.ts';
import type { OptionName } from './options.ts';
import { type CheckedEntry, checkJson, isWorking, renderChecks } from './render-check.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function runCheck(context: CommandContext): Promise<ExitCode> {
  const extra = [...context.flags, ...context.values.keys()].find((name) => !TAKEN.has(name));
  if (extra !== undefined)
    return exitSaying(
      context,
      `Option --${extra} cannot be combined with --check: it checks the entry as it is in the file`,
      2,
    );
  const [wanted] = context.operands;
  const host = wanted === undefined ? undefined : findHost(context, wanted);
  if (host?.ok === false) return exitSaying(context, host.failure, 2);
  const places = await (host === undefined ? findConnected(context) : placesOf(context, host.value));
  const checks: CheckedEntry[] = [];
  const tried = new Map<string, Promise<TriedEntry>>();
  for (const place of places) checks.push(await check(context, place, tried));
  write(context, checks);
  return checks.length > 0 && checks.every(isWorking) ? 0 : 1;
}

const TAKEN: ReadonlySet<OptionName> = new Set(['check', 'scope', 'project', 'json']);

/** A file that may have our entry. */
interface Place {
  readonly host: ConnectableHost;
  readonly scope: ConfigScope;
  readonly path: string;
}

const projectOf = ({ settings }: CommandContext): string => settings.rootRequest.project;

/** Both, unless one is asked for. */
const scopesOf = ({ values }: CommandContext): readonly ConfigScope[] => {
  const given = values.get('scope')?.at(-1);
  return given === 'user' || given === 'project' ? [given] : ['user', 'project'];
};

/** Every host with our entry. Several read one file of a project: of those that are not on this machine nothing is said. */
async function findConnected(context: CommandContext): Promise<readonly Place[]> {
  const surveyed = scopesOf(context).map(async (scope) => {
    const rows = await surveyHosts(scope, projectOf(context), machineWith(context.environment));
    return rows
      .filter(({ isConnected }) => isConnected)
      .map(({ host, path, isHere }) => ({ host, scope, path, isHere }));
  });
  const all = (await Promise.all(surveyed)).flat();
  const here = all.filter(({ scope, isHere }) => scope === 'user' || isHere);
  return here.length > 0 ? here : all;
}

/** Those of its files that have our entry, or cannot be read; when none has it, the first. */
function placesOf(context: CommandContext, host: ConnectableHost): readonly Place[] {
  const machine = machineWith(context.environment);
  const places = scopesOf(context).flatMap((scope): Place[] => {
    const path = findConfigPath(host, scope, projectOf(context), machine);
    return path === undefined ? [] : [{ host, scope, path }];
  });
  const telling = places.filter((place) => {
    const entry = readEntry(place);
    return !entry.ok || entry.value !== undefined;
  });
  return telling.length > 0 ? telling : places.slice(0, 1);
}

async function check(
  context: CommandContext,
  place: Place,
  tried: Map<string, Promise<TriedEntry>>,
): Promise<CheckedEntry> {
  const { host, scope } = place;
  const { target, attempt } = await tryPlace(context, place, tried);
  const facts = { host, scope, ...shownTarget(target), context };
  return {
    ...place,
    ...shownTarget(target),
    attempt,
    fix: attempt.ok ? undefined : fixFor(attempt.failure, facts),
    needs: attempt.ok ? findNeeds(host, scope, projectOf(context), machineWith(context.environment)) : [],
  };
}

/** Long enough for a slow machine with many skills; hosts wait as long, or longer. */
const LIMIT_MS = 30_000;

/** Hosts that have the same entry share one attempt. */
async function tryPlace(
  context: CommandContext,
  place: Place,
  tried: Map<string, Promise<TriedEntry>>,
): Promise<TriedEntry> {
  const entry = readEntry(place);
  if (!entry.ok) return { target: undefined, attempt: unreadable(entry.failure) };
  if (entry.value === undefined) return { target: undefined, attempt: notConnected };
  const key = JSON.stringify([place.scope, entry.value, place.host.config.fillsBareNames]);
  const known = tried.get(key) ?? tryNow(context, place, entry.value);
  tried.set(key, known);
  return withProgress(context.errors, `Trying ${place.host.title}…`, () => known);
}

const tryNow = (context: CommandContext, { scope, host }: Place, entry: Fields): Promise<TriedEntry> =>
  tryEntry(entry, {
    scope,
    folder: projectOf(context),
    variables: context.environment.variables,
    fillsBareNames: host.config.fillsBareNames === true,
    program: context.program(),
    ownProgram: context.ownProgram(),
    version: context.version,
    limitMs: LIMIT_MS,
  });

const unreadable = (reason: string): Attempt =>
  fail({ cause: 'file-unreadable', message: `Cannot read the file: ${reason}` });

const notConnected: Attempt = fail({ cause: 'not-connected', message: 'The file has no entry "repertoire"' });

function shownTarget(target: EntryTarget | undefined): Pick<CheckedEntry, 'url' | 'words'> {
  if (target === undefined) return { url: undefined, words: undefined };
  if ('url' in target) return { url: target.url, words: undefined };
  return { url: undefined, words: [target.command, ...target.args] };
}

function write(context: CommandContext, checks: readonly CheckedEntry[]): void {
  const { environment, output, flags } = context;
  if (flags.has('json')) output.write(toJsonText({ checks: checks.map(checkJson) }));
  else if (checks.length > 0) output.write(renderChecks(checks, (path) => toDisplayPath(path, environment), output));
  if (checks.length === 0)
    exitSaying(context, `No host is connected: ${hintLine(context, ['connect'])} lists the hosts on this machine`, 1);
}
