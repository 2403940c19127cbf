// What the commands about sources share: which locks they are about, the source that was named, the world that fetching needs.
import { existsSync, realpathSync } from 'node:fs';
import { type CheckedSource, checkSource } from '../../sources/check-source.ts';
import { type ContentPlace, contentPlace } from '../../sources/content.ts';
import type { Lock, LockedSource } from '../../sources/lock.ts';
import { loadLock } from '../../sources/lock-file.ts';
import { type LockPlace, lockPlaces } from '../../sources/lock-stamp.ts';
import { QUIET_MS, type SourceWorld } from '../../sources/offer.ts';
import { addressFault, lockedName, withoutUser } from '../../sources/source-address.ts';
import { echoText } from '../../text/list-text.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext } from './command.ts';
import { startProgress } from './terminal/progress.ts';

export interface OpenLock extends LockPlace {
  /** Empty where there is none yet. */
  readonly lock: Lock;
  readonly isThere: boolean;
}

export const contentOf = ({ settings }: CommandContext): ContentPlace => contentPlace(settings.dataDirectory);

export const placesOf = ({ settings }: CommandContext): readonly [LockPlace, LockPlace] =>
  lockPlaces(settings.rootRequest.project, settings.dataDirectory);

/** The lock that `add` writes. */
export function targetLock(context: CommandContext): LockPlace {
  const [project, global] = placesOf(context);
  return context.flags.has('global') ? global : project;
}

/** The project's and the global one; with --global that one alone. The failure is a sentence. */
export function openLocks(context: CommandContext): Result<readonly OpenLock[], string> {
  const wanted = placesOf(context).filter(({ isGlobal }) => isGlobal || !context.flags.has('global'));
  const open: OpenLock[] = [];
  for (const place of wanted) {
    const loaded = loadLock(place.path);
    if (!loaded.ok) return loaded;
    open.push({ ...place, lock: loaded.value ?? { sources: [] }, isThere: loaded.value !== undefined });
  }
  return ok(open);
}

export interface LockedIn {
  readonly lock: OpenLock;
  readonly source: LockedSource;
}

export const allSources = (locks: readonly OpenLock[]): readonly LockedIn[] =>
  locks.flatMap((lock) => lock.lock.sources.map((source) => ({ lock, source })));

export interface CheckedIn extends LockedIn, CheckedSource {}

/** Whether what is kept is what the locks say, source by source. */
export async function checkAll(sources: readonly LockedIn[], content: ContentPlace): Promise<readonly CheckedIn[]> {
  const checked: CheckedIn[] = [];
  for (const each of sources) checked.push({ ...each, ...(await checkSource(each.source, content)) });
  return checked;
}

/** By the name as it is typed, or as the lock has it. The failure is a sentence. */
export function findSource(
  context: CommandContext,
  locks: readonly OpenLock[],
  typed: string,
): Result<LockedIn, string> {
  const found = allSources(locks).find(({ lock, source }) => {
    return source.source === typed || source.source === nameIn(context, lock, typed);
  });
  if (found !== undefined) return ok(found);
  const known = allSources(locks).map(({ source }) => source.source);
  const hint = known.length === 0 ? 'the lock has no sources' : `the lock has ${known.join(', ')}`;
  return fail(`Cannot find the source "${echoText(withoutUser(typed), 120)}": ${hint}`);
}

/** As it stands in the lock. A global lock has directories whole. */
export function nameIn({ environment }: CommandContext, { project, isGlobal }: LockPlace, typed: string): string {
  return lockedName(typed, { ...environment, project: isGlobal ? NOWHERE : project, realPathOf });
}

/** What is not there is named as it is written. */
const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/** No directory lies inside it. */
const NOWHERE = '/\0';

/** Half a sentence of what is wrong with a source before anything is started. */
export const sourceFault = (typed: string, name: string): string | undefined =>
  addressFault(typed) ?? addressFault(name);

export interface Fetching {
  readonly world: SourceWorld;
  end(): void;
}

/** Progress is shown on a terminal; Ctrl-C stops git, too, and leaves everything as it was. */
export function startFetching(context: CommandContext, title: string): Fetching {
  const { errors, environment } = context;
  const progress = startProgress(errors, Date.now);
  return {
    world: {
      variables: environment.variables,
      quietMs: QUIET_MS,
      signal: context.stopSignal(),
      onProgress: (line) => progress.update(`${title}: ${line}`),
    },
    end: () => progress.end(),
  };
}
