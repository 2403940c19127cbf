// Whether a changed SKILL.md may be believed yet, or its writer is perhaps still at it (F8).
import { monotonicMs } from '../../async/monotonic-clock.ts';
import type { SkillFile, SkillText } from './skill-file.ts';

/** How long a file must have been left alone, by how finished its new text looks. */
const QUIET_MS = { finished: 30, first: 45, doubtful: 90, cut: 300 } as const;
type Looks = keyof typeof QUIET_MS;

/** A file that is never left alone is believed after this long all the same, but only a text that looks whole. */
const PATIENCE_MS: Readonly<Record<Looks, number>> = {
  finished: 150,
  first: 250,
  // Never while it is being written: what is served meanwhile is whole, and a writer that stops is soon believed.
  doubtful: Number.POSITIVE_INFINITY,
  cut: Number.POSITIVE_INFINITY,
};

/** Times of files are finer than those of the clock: a file of this very millisecond seems to be of the future. */
export const CLOCK_SLACK_MS = 10;

/** What a scan is told about texts that may be half written. */
export interface HoldBackRules {
  /** By folder: since when a change of its skill has been held back; `undefined`: hold nothing back. */
  readonly heldBackSince: ReadonlyMap<string, number> | undefined;
  /** The text before may be a half one itself: looking finished beside it is not enough. */
  readonly isPreviousUnproven: boolean;
  readonly now: () => Date;
}

interface Change {
  /** Of the skill's folder. */
  readonly path: string;
  readonly previous: SkillFile | undefined;
  readonly next: SkillFile;
  /** From before the read. */
  readonly askedAt: number;
}

/** Milliseconds to wait before `next` may be served; 0 means now. */
export function waitForWriterMs({ path, previous, next, askedAt }: Change, rules: HoldBackRules): number {
  const { heldBackSince, isPreviousUnproven, now } = rules;
  if (heldBackSince === undefined || next.text === undefined) return 0;
  const fresh = { ...next.text, modifiedMs: next.modifiedMs };
  // The time of asking, not of now: a process that was held up after the read would take a young text for an old one.
  const at = Math.min(now().getTime(), Math.max(askedAt, next.modifiedMs));
  const since = heldBackSince.get(path);
  const waitedMs = since === undefined ? 0 : monotonicMs() - since;
  const alone = isPreviousUnproven ? holdBackMs(undefined, fresh, at, waitedMs) : 0;
  return Math.max(alone, holdBackMs(previous?.text, fresh, at, waitedMs));
}

interface FreshText {
  readonly bytes: Buffer;
  readonly document: unknown;
  readonly modifiedMs: number;
}

/**
 * Milliseconds to wait before this text may replace `previous`; 0 means now.
 * `waitedMs`: how long the change has been held back already.
 */
export function holdBackMs(previous: SkillText | undefined, next: FreshText, now: number, waitedMs: number): number {
  const looks = looksOf(previous?.bytes, next);
  // ext4 shows a file that is being emptied with its former time for a moment: only time spent waiting counts for it.
  const age = Math.min(now - next.modifiedMs, next.bytes.length === 0 ? waitedMs : Number.POSITIVE_INFINITY);
  // A time in the future or far in the past says nothing: clocks jump, archives keep old times.
  if (age < -CLOCK_SLACK_MS || age >= QUIET_MS[looks] || waitedMs >= PATIENCE_MS[looks]) return 0;
  return Math.ceil(QUIET_MS[looks] - Math.max(0, age));
}

function looksOf(previous: Buffer | undefined, next: FreshText): Looks {
  const { bytes } = next;
  if (bytes.length === 0 || next.document === undefined) return 'cut';
  if (previous && bytes.length < previous.length && previous.subarray(0, bytes.length).equals(bytes)) return 'cut';
  const endsCleanly = bytes[bytes.length - 1] === 0x0a;
  const endedCleanly = previous === undefined || previous[previous.length - 1] === 0x0a;
  // Shorter than before and in the middle of a line: two signs are as good as proof.
  if (!endsCleanly && endedCleanly) return previous && bytes.length < previous.length ? 'cut' : 'doubtful';
  // With nothing to compare it with, any line may be its last.
  if (previous === undefined) return 'first';
  return bytes.length < previous.length * 0.8 ? 'doubtful' : 'finished';
}
