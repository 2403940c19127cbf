// `repertoire update [SOURCE]`: what is new in the sources, as a difference of skills, files and lines; then pinned (S1, S4).
import { compareSkills, type SkillChanges } from '../../sources/compare-skills.ts';
import { Workshop } from '../../sources/content.ts';
import { noteFetched } from '../../sources/fetched-entries.ts';
import { withSource } from '../../sources/lock.ts';
import { changeLock } from '../../sources/lock-file.ts';
import { fetchOffer, type Offer } from '../../sources/offer.ts';
import { placeOf } from '../../sources/source-address.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { confirm } from './confirm-source.ts';
import { sayDiskFaults } from './disk-faults.ts';
import { previewJson, renderChanges, renderPreview } from './render-source.ts';
import { allSources, contentOf, findSource, type LockedIn, openLocks, startFetching } from './source-context.ts';
import { type Preview, previewSource } from './source-preview.ts';
import { exitSaying } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

export const run = (context: CommandContext): Promise<ExitCode> => sayDiskFaults(context, () => update(context));

async function update(context: CommandContext): Promise<ExitCode> {
  const { operands, flags, output } = context;
  const locks = openLocks(context);
  if (!locks.ok) return exitSaying(context, locks.failure, 1);
  const [typed] = operands;
  const named = typed === undefined ? undefined : findSource(context, locks.value, typed);
  if (named && !named.ok) return exitSaying(context, named.failure, 1);
  const wanted = named ? [named.value] : allSources(locks.value);
  if (wanted.length === 0)
    output.write(flags.has('json') ? toJsonText({ sources: [] }) : 'There are no sources to update.\n');
  const reports: unknown[] = [];
  let worst: ExitCode = 0;
  for (const each of wanted) {
    const { code, report } = await updateOne(context, each);
    if (code !== 0 && worst === 0) worst = code;
    if (report !== undefined) reports.push(report);
  }
  if (flags.has('json') && wanted.length > 0) output.write(toJsonText({ sources: reports }));
  return worst;
}

interface Updated {
  readonly code: ExitCode;
  readonly report?: unknown;
}

async function updateOne(context: CommandContext, each: LockedIn): Promise<Updated> {
  const workshop = new Workshop(contentOf(context));
  try {
    const news = await fetchNews(context, each, workshop);
    if (!news.ok) return { code: exitSaying(context, `Cannot update "${each.source.source}": ${news.failure}`, 1) };
    return await decide(context, each, news.value, workshop);
  } finally {
    workshop.discard();
  }
}

interface News {
  readonly preview: Preview;
  readonly changes: SkillChanges;
  /** A sentence about the ref itself: a tag that moved, a branch that was rewritten. */
  readonly warning: string | undefined;
  readonly isNew: boolean;
}

async function fetchNews(
  context: CommandContext,
  { lock, source }: LockedIn,
  workshop: Workshop,
): Promise<Result<News, string>> {
  const { ref, paths, commit, skills } = source;
  const place = placeOf(source.source, lock);
  if (!place.ok) return place;
  const fetching = startFetching(context, source.source);
  const offer = await fetchOffer({ place: place.value, ref, former: commit, paths, workshop, world: fetching.world });
  fetching.end();
  if (!offer.ok) return offer;
  const request = { source: source.source, ref, paths, offer: offer.value, target: lock, made: workshop.made };
  const preview = await previewSource(context, request);
  if (preview.skills.length === 0) return fail('it has no skill any more; remove it to be without them');
  const changes = compareSkills(skills, preview.made, { before: contentOf(context), after: workshop.made });
  const isNew = offer.value.commit !== commit || JSON.stringify(preview.entry.skills) !== JSON.stringify(skills);
  return ok({ preview, changes, warning: warningOf(offer.value, source.ref, commit), isNew });
}

function warningOf({ refName, commit, isRewritten }: Offer, ref: string | null, former: string): string | undefined {
  if (commit === former) return undefined;
  const [from, to] = [former.slice(0, 7), commit.slice(0, 7)];
  if (refName?.startsWith('refs/tags/')) return `The tag ${ref} moved from ${from} to ${to}: tags are meant to stay`;
  if (isRewritten)
    return `${ref === null ? 'The branch' : `The branch ${ref}`} was rewritten (force-pushed): its history does not have ${from} any more`;
  return undefined;
}

async function decide(
  context: CommandContext,
  { lock, source }: LockedIn,
  news: News,
  workshop: Workshop,
): Promise<Updated> {
  const { flags, output, errors } = context;
  const { preview, changes, warning, isNew } = news;
  const isJson = flags.has('json');
  const former = source.commit;
  const report = {
    ...previewJson(preview),
    former_commit: former,
    warning: warning ?? null,
    changes: changesJson(changes),
  };
  if (!isNew) {
    noteFetched(contentOf(context), source);
    if (!isJson) output.write(`${source.source} is up to date at ${former.slice(0, 7)}\n`);
    return { code: 0, report: { ...report, updated: false } };
  }
  if (!isJson) {
    const touched = new Set([...changes.added, ...changes.changed.map(({ path }) => path)]);
    output.write(renderPreview(preview, output, touched));
    output.write(`\nFrom ${former.slice(0, 7)} to ${preview.entry.commit.slice(0, 7)}:\n`);
    output.write(renderChanges(changes, output) || '  no skill changes\n');
  }
  if (warning !== undefined) exitSaying({ errors }, `Warning: ${warning}`, 0);
  const refused = await confirm(context, `Update ${source.source}?`, `update "${source.source}"`);
  if (refused !== undefined) return { code: refused, report: { ...report, updated: false } };
  noteFetched(contentOf(context), preview.entry);
  await workshop.keep(preview.made);
  const written = await changeLock(lock, contentOf(context), (before) => withSource(before, preview.entry));
  if (!written.ok) return { code: exitSaying(context, written.failure, 1) };
  if (!isJson) output.write(`Updated ${source.source} to ${preview.entry.commit.slice(0, 7)}\n`);
  return { code: 0, report: { ...report, updated: true } };
}

const changesJson = ({ added, changed, removed }: SkillChanges) => ({
  added,
  changed: changed.map(({ path, files }) => ({
    path,
    files: files.map((file) => ({ path: file.path, change: file.change })),
  })),
  removed,
});
