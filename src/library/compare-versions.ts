// What one version of a skill changes in another: file by file, line by line, and which findings are new (L3).
import { isUtf8 } from 'node:buffer';
import { createTimeSlice, type TimeSlice } from '../async/time-slice.ts';

import type { Finding } from '../document/inspect/finding.ts';
import { type DiffHunk, diffLines } from '../text/line-diff.ts';
import type { Library, Version, VersionFile } from './library.ts';

interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** False: its bytes are no text, or too many to be compared by lines. */
  readonly isText: boolean;
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
  const files: FileChange[] = [];
  const findings: LocatedFinding[] = [];
  for (const pair of pairs) {
    const [before, after] = [textOf(pair.before), textOf(pair.after)];
    files.push(describeChange(pair, before, after));
    if (after !== undefined && pair.before?.sha256 !== pair.after?.sha256)
      findings.push(...(await newFindings(pair.path, before, after, slice)));
    if (slice.isSpent()) await slice.rest();
  }
  return { files, findings };
}

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

function describeChange(pair: Pair, before: string | undefined, after: string | undefined): FileChange {
  const known = [pair.before ? before : '', pair.after ? after : ''];
  const [old, now] = known;
  return {
    path: pair.path,
    change: pair.before === undefined ? 'added' : pair.after === undefined ? 'removed' : 'changed',
    isText: old !== undefined && now !== undefined,
    executable: { before: pair.before?.executable ?? null, after: pair.after?.executable ?? null },
    size: { before: pair.before?.size ?? null, after: pair.after?.size ?? null },
    hunks: old === undefined || now === undefined ? [] : diffLines(old, now),
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
