// What one version of a skill changes in another: file by file, line by line, and which findings are new (L3).
import { isUtf8 } from 'node:buffer';
import { createTimeSlice, type TimeSlice } from '../async/time-slice.ts';

import type { Finding } from '../document/inspect/finding.ts';
import { type DiffHunk, findHunks } from '../text/line-diff.ts';
import type { Library, Version, VersionFile } from './library.ts';

interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** False: its bytes are no text, or too many to be compared by lines. */
  readonly isText: boolean;
  /** Its lines are left out: with those of the other files they are too many to be looked at. */
  readonly isTooLarge: boolean;
  readonly executable: { readonly before: boolean | null; readonly after: boolean | null };
  readonly size: { readonly before: number | null; readonly after: number | null };
  readonly hunks: readonly DiffHunk[];
}

export interface LocatedFinding extends Finding {
  readonly path: string;
}

export interface Comparison {
  readonly files: readonly FileChange[];
  /** What `to` has and `from` had not. */
  readonly findings: readonly LocatedFinding[];
}

/** Above this a file is data. */
const MOST_TEXT_BYTES = 1_048_576;
/** As JSON, of all files together: more fills the memory of the server and of the browser, and no one reads it (F4). */
const MOST_TOLD_BYTES = 4 * 1_048_576;
/** No line takes less, as JSON. */
const LINE_BYTES = 27;

const SLICE_MS = 5;

/** `from`: nothing, for a first version. */
export async function compareVersions(
  from: Version | undefined,
  to: Version,
  library: Pick<Library, 'readFiles'>,
): Promise<Comparison> {
  const pairs = changedFiles(from?.files ?? [], to.files);
  const bytes = await library.readFiles(pairs.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  const textOf = (file: VersionFile | undefined): string | undefined => {
    const found = file && bytes.get(file.sha256);
    return found && isText(found) ? found.toString('utf8') : undefined;
  };
  const slice = createTimeSlice(SLICE_MS);
  const changes = new Map<string, FileChange>();
  const findings: LocatedFinding[] = [];
  let room = MOST_TOLD_BYTES;
  for (const pair of mostTellingFirst(pairs)) {
    const [before, after] = [textOf(pair.before), textOf(pair.after)];
    const change = describeChange(pair, before, after, room);
    changes.set(pair.path, change);
    room -= sizeOf(change.hunks);
    if (after !== undefined && pair.before?.sha256 !== pair.after?.sha256)
      findings.push(...(await newFindings(pair.path, before, after, slice)));
    if (slice.isSpent()) await slice.rest();
  }
  const files = pairs.flatMap(({ path }) => changes.get(path) ?? []);
  const places = new Map(pairs.map(({ path }, place) => [path, place]));
  findings.sort((a, b) => (places.get(a.path) ?? 0) - (places.get(b.path) ?? 0));
  return { files, findings };
}

/** The room goes to what agents read, then to what is short: a large file beside it hides neither. */
function mostTellingFirst(pairs: readonly Pair[]): readonly Pair[] {
  const weightOf = ({ path, before, after }: Pair): number =>
    /^skill\.md$/i.test(path) ? -1 : (before?.size ?? 0) + (after?.size ?? 0);
  return [...pairs].sort((a, b) => weightOf(a) - weightOf(b));
}

const sizeOf = (hunks: readonly DiffHunk[]): number =>
  hunks.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(hunks));

interface Pair {
  readonly path: string;
  readonly before: VersionFile | undefined;
  readonly after: VersionFile | undefined;
}

function changedFiles(before: readonly VersionFile[], after: readonly VersionFile[]): readonly Pair[] {
  const [old, now] = [byPath(before), byPath(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((pair) => pair.before?.sha256 !== pair.after?.sha256 || pair.before?.executable !== pair.after?.executable);
}

const byPath = (files: readonly VersionFile[]) => new Map(files.map((file) => [file.path, file]));

const isText = (bytes: Buffer): boolean => bytes.length <= MOST_TEXT_BYTES && !bytes.includes(0) && isUtf8(bytes);

/** `room`: so many bytes its lines may take. */
function describeChange(pair: Pair, before: string | undefined, after: string | undefined, room: number): FileChange {
  const known = [pair.before ? before : '', pair.after ? after : ''];
  const [old, now] = known;
  const isText = old !== undefined && now !== undefined;
  const found = isText ? findHunks(old, now, { mostLines: room / LINE_BYTES }) : [];
  const hunks = found === undefined || sizeOf(found) > room ? undefined : found;
  return {
    path: pair.path,
    change: pair.before === undefined ? 'added' : pair.after === undefined ? 'removed' : 'changed',
    isText,
    isTooLarge: hunks === undefined,
    executable: { before: pair.before?.executable ?? null, after: pair.after?.executable ?? null },
    size: { before: pair.before?.size ?? null, after: pair.after?.size ?? null },
    hunks: hunks ?? [],
  };
}

/** One that stands elsewhere now, or once more, is told by what it says and what stands there. */
async function newFindings(
  path: string,
  before: string | undefined,
  after: string,
  slice: TimeSlice,
): Promise<readonly LocatedFinding[]> {
  const found = await inspectSliced(after, slice);
  if (found.length === 0) return [];
  const known = new Map<string, number>();
  for (const finding of before === undefined ? [] : await inspectSliced(before, slice))
    known.set(keyOf(finding), (known.get(keyOf(finding)) ?? 0) + 1);
  return found
    .filter((finding) => {
      const left = known.get(keyOf(finding)) ?? 0;
      known.set(keyOf(finding), left - 1);
      return left <= 0;
    })
    .map((finding) => ({ ...finding, path }));
}

const keyOf = ({ rule, message, excerpt }: Finding): string => JSON.stringify([rule, message, excerpt]);

/** Others are answered meanwhile: a text of 1 MB may take half a second. */
export async function inspectSliced(text: string, slice: TimeSlice): Promise<readonly Finding[]> {
  const { inspectSteps } = await import('../document/inspect.ts');
  const steps = inspectSteps(text);
  let step = steps.next();
  while (!step.done) {
    if (slice.isSpent()) await slice.rest();
    step = steps.next();
  }
  return step.value;
}
