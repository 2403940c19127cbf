// `repertoire add SOURCE`: the skills of a source, shown and asked about, then kept and pinned in the lock (S1).
import { isAbsolute } from 'node:path';
import { Workshop } from '../../sources/content.ts';
import { noteFetched } from '../../sources/fetched-entries.ts';
import { withSource } from '../../sources/lock.ts';
import { changeLock, loadLock } from '../../sources/lock-file.ts';
import type { LockPlace } from '../../sources/lock-stamp.ts';
import { fetchOffer } from '../../sources/offer.ts';
import { cleanPath, placeOf, withoutUser, wordFault } from '../../sources/source-address.ts';
import { counted } from '../../text/counted.ts';
import { echoText } from '../../text/list-text.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { confirm } from './confirm-source.ts';
import { sayDiskFaults } from './disk-faults.ts';
import { previewJson, renderPreview } from './render-source.ts';
import { contentOf, nameIn, sourceFault, startFetching, targetLock } from './source-context.ts';
import { type Preview, previewSource } from './source-preview.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

interface Wanted {
  readonly source: string;
  readonly ref: string | null;
  readonly paths: readonly string[];
  readonly target: LockPlace;
}

export async function run(context: CommandContext): Promise<ExitCode> {
  const wanted = readWanted(context);
  if (!wanted.ok) return exitSaying(context, wanted.failure, 2);
  const { target } = wanted.value;
  const lock = loadLock(target.path);
  if (!lock.ok) return exitSaying(context, lock.failure, 1);
  return await sayDiskFaults(context, () => addSource(context, wanted.value));
}

async function addSource(context: CommandContext, wanted: Wanted): Promise<ExitCode> {
  const workshop = new Workshop(contentOf(context));
  try {
    const preview = await fetchPreview(context, wanted, workshop);
    if (!preview.ok) return exitSaying(context, preview.failure, 1);
    return await decide(context, wanted, preview.value, workshop);
  } finally {
    workshop.discard();
  }
}

/** Everything that comes from outside is looked at before git is started (S5). The failure is a sentence. */
function readWanted(context: CommandContext): Result<Wanted, string> {
  const [typed = ''] = context.operands;
  const target = targetLock(context);
  const source = nameIn(context, target, typed);
  const fault = sourceFault(typed, source);
  if (fault !== undefined) return fail(`Cannot add the source "${echoText(withoutUser(typed), 120)}": ${fault}`);
  const [ref = null] = context.values.get('ref') ?? [];
  const refFault = ref === null ? undefined : wordFault(ref);
  if (refFault !== undefined) return fail(`Cannot use the ref "${echoText(ref ?? '', 120)}": ${refFault}`);
  const paths: string[] = [];
  for (const given of context.values.get('path') ?? []) {
    const path = cleanPath(given);
    const pathFault = wordFault(given) ?? (path === undefined ? 'it is no folder below the source' : wordFault(path));
    if (path === undefined || pathFault !== undefined)
      return fail(`Cannot use the path "${echoText(given, 120)}": ${pathFault}`);
    if (path !== '.') paths.push(path);
  }
  return ok({ source, ref, paths: [...new Set(paths)].sort(), target });
}

async function fetchPreview(
  context: CommandContext,
  { source, ref, paths, target }: Wanted,
  workshop: Workshop,
): Promise<Result<Preview, string>> {
  const cannot = (reason: string) => fail(`Cannot add "${source}": ${reason}`);
  const place = placeOf(source, target);
  if (!place.ok) return cannot(place.failure);
  const fetching = startFetching(context, source);
  const offer = await fetchOffer({ place: place.value, ref, paths, workshop, world: fetching.world });
  fetching.end();
  if (!offer.ok) return cannot(`${offer.failure}${githubHint(source, offer.failure)}`);
  const preview = await previewSource(context, { source, ref, paths, offer: offer.value, target, made: workshop.made });
  if (preview.skills.length > 0) return ok(preview);
  const lost = preview.problems.length;
  const [first] = preview.problems;
  return cannot(
    first === undefined
      ? 'it has no skill: no folder in it holds a SKILL.md'
      : `none of its ${counted(lost, 'skill')} can be taken; the first, ${first.path}: ${first.message}`,
  );
}

/** `owner/repo` is a directory here; people know it from elsewhere as a repository at GitHub. */
const githubHint = (source: string, failure: string): string =>
  /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9][\w.-]*$/.test(source) &&
  /^there is no (git repository|such directory)/.test(failure)
    ? `; for a repository at GitHub write github:${source}`
    : '';

/** Others have the project's lock; the global one is this machine's anyway. */
const isOfThisMachine = (source: string, { isGlobal }: LockPlace): boolean => !isGlobal && isAbsolute(source);

const ONLY_HERE =
  'Note: the source is a directory outside the project, and the lock gets its path on this machine: others cannot sync it. For them, move it into the project or add it by the address of its repository';

async function decide(
  context: CommandContext,
  { source, target }: Wanted,
  preview: Preview,
  workshop: Workshop,
): Promise<ExitCode> {
  const { flags, output } = context;
  const isJson = flags.has('json');
  if (!isJson) output.write(renderPreview(preview, output));
  if (!isJson && isOfThisMachine(source, target)) saySentence(context.errors, ONLY_HERE);
  const refused = await confirm(context, `Add ${counted(preview.skills.length, 'skill')}?`, `add "${source}"`);
  if (refused !== undefined) return refused;
  noteFetched(contentOf(context), preview.entry);
  await workshop.keep(preview.made);
  const written = await changeLock(target, contentOf(context), (lock) => withSource(lock, preview.entry));
  if (!written.ok) return exitSaying(context, written.failure, 1);
  const shown = toDisplayPath(target.path, context.environment);
  if (isJson) output.write(toJsonText({ ...previewJson(preview), lock: target.path }));
  else output.write(`Added ${counted(preview.skills.length, 'skill')} to ${shown}\n`);
  return 0;
}
