// The log as a reader sees it from whom some document skills are hidden (N4). Of reads, those of skills that the reader sees; of runs all,
// but what others sent in and got back stays theirs: a plan or a search quotes skills.
import type { Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { digestOf } from '../document/manifest.ts';
import { type Caller, isRecordedAs } from '../identity/caller.ts';
import type { Load, LoadLog, LoadQuery } from '../repertoire/load-log.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import type { ActivityEntry, ActivityLog, ActivityQuery, SkillUses } from '../skills/record/activity-log.ts';
import type { InvocationLog, LoggedInvocation } from '../skills/record/invocation-log.ts';
import { WITHHELD, withoutOutput } from '../skills/record/withheld.ts';
import { limitedPage } from './limited-pages.ts';
import type { Logs } from './log.ts';

type View = Pick<Repertoire, 'snapshot'>;

/** `all`: with what is hidden from the reader. */
export function limitLogs(
  logs: Logs,
  { view, all }: { readonly view: View; readonly all: View },
  reader: Caller,
): Logs {
  const shown = (): Shown => ({ documents: [...documentNames(view)], notDigests: hiddenNamesakes(view, all) });
  return {
    invocations: limitInvocations(logs.invocations, reader),
    loads: limitLoads(logs.loads, view, shown),
    activity: limitActivity(logs.activity, view, shown),
  };
}

interface Shown {
  readonly documents: readonly string[];
  readonly notDigests: readonly string[];
}

/** The texts of hidden skills that have the name of one that is shown: in the log only the digest tells them apart. */
function hiddenNamesakes(view: View, all: View): readonly string[] {
  const names = documentNames(view);
  const shown = new Set([...view.snapshot.skills, ...view.snapshot.unnamed]);
  const hidden = [...all.snapshot.skills, ...all.snapshot.unnamed].filter((skill) => !shown.has(skill));
  return hidden
    .filter((skill) => loggedNames(skill).some((name) => names.has(name)))
    .map(({ bytes }) => digestOf(bytes));
}

const known = new WeakMap<Snapshot, ReadonlySet<string>>();

/**
 * The names that what this view shows has in the log. What went by another name once is not among them: whether it was to be seen is
 * not known any more.
 */
export function documentNames({ snapshot }: View): ReadonlySet<string> {
  const names = known.get(snapshot) ?? new Set([...snapshot.skills, ...snapshot.unnamed].flatMap(loggedNames));
  known.set(snapshot, names);
  return names;
}

/** A text that was asked for by its folder is in the log under that name where it has no other. */
const loggedNames = ({ name, segments }: Skill): readonly string[] => [name, segments.at(-1) ?? name];

const limitLoads = (loads: LoadLog, view: View, shown: () => Shown): LoadLog => ({
  record: (given) => loads.record(given),
  list: async (query) => {
    const read = async (page: Pick<LoadQuery, 'limit' | 'cursor'>) => {
      const { loads: entries, nextCursor } = await loads.list({ ...withoutPage(query), ...page, ...shown() });
      return { entries, hasMore: nextCursor !== undefined };
    };
    const { entries, nextCursor } = await limitedPage(query, { read, momentOf: ({ loadedAt }: Load) => loadedAt });
    return { loads: entries.map(({ entry }) => entry), nextCursor };
  },
  counts: async (since) => {
    const names = documentNames(view);
    return new Map([...(await loads.counts(since))].filter(([name]) => names.has(name)));
  },
});

const limitActivity = (activity: ActivityLog, view: View, shown: () => Shown): ActivityLog => ({
  list: async (query) => {
    const read = async (page: Pick<ActivityQuery, 'limit' | 'cursor'>) => {
      const { entries, nextCursor } = await activity.list({ ...withoutPage(query), ...page, ...shown() });
      return { entries, hasMore: nextCursor !== undefined };
    };
    const { entries, nextCursor } = await limitedPage(query, { read, momentOf: ({ at }: ActivityEntry) => at });
    return { entries: entries.map(withoutNumber), nextCursor };
  },
  choices: (filter) => activity.choices({ ...filter, ...shown() }),
  uses: async (span) => {
    const names = documentNames(view);
    const uses = await activity.uses(span);
    return uses.map((each) => (names.has(each.skillName) ? each : withoutReads(each))).filter(isUsed);
  },
  usesOf: (query) => activity.usesOf(documentNames(view).has(query.skill) ? query : { ...query, runsOnly: true }),
});

const withoutPage = <T extends { readonly cursor?: string }>({ cursor: _cursor, ...query }: T) => query;

/** A run has an id that tells nothing; what was read has the number of its row. */
const withoutNumber = ({ entry, place }: { readonly entry: ActivityEntry; readonly place: number }): ActivityEntry =>
  entry.kind === 'run' ? entry : { ...entry, id: `${entry.at.getTime()}-${place}` };

const withoutReads = (uses: SkillUses): SkillUses => ({ ...uses, reads: 0, lastReadAt: undefined });

const isUsed = ({ reads, runs }: SkillUses): boolean => reads + runs > 0;

const limitInvocations = (log: InvocationLog, reader: Caller): InvocationLog => {
  const shown = (found: LoggedInvocation) => (isRecordedAs(reader, found.invocation) ? found : withoutPayloads(found));
  return {
    begin: (invocation) => log.begin(invocation),
    end: (invocation, result) => log.end(invocation, result),
    find: async (id) => {
      const found = await log.find(id);
      return found && shown(found);
    },
    list: async (query) => {
      const page = await log.list(query);
      return { ...page, invocations: page.invocations.map(shown) };
    },
    stats: (query) => log.stats(query),
    statsBy: (query) => log.statsBy(query),
  };
};

/** Without what may quote a skill. */
export const withoutPayloads = ({ invocation, result }: LoggedInvocation): LoggedInvocation => ({
  invocation: { ...invocation, inputPayload: WITHHELD },
  result: result && withoutOutput(result),
});
