// A thrown thing as text for the log, whatever it is: a throw may be null, a proxy, or an error whose message throws.
import { scrubShapes } from '../../text/credentials.ts';

const MAX_TEXT = 4_000;
/** More than the largest secret that a call may hold, in its longest spelling. */
const MAX_LOOKED_THROUGH = 8_000_000;

/** `scrub`: takes out the secrets that are known where it happened. */
export function describeError(error: unknown, scrub: (text: string) => string = scrubShapes): string {
  try {
    return cutForLog(describe(error, 3), scrub);
  } catch {
    return 'something that cannot be described was thrown';
  }
}

/** Scrubbed first, then cut: half of a secret is not found any more, and half of it is enough to do harm. */
export function cutForLog(text: string, scrub: (text: string) => string): string {
  if (text.length > MAX_LOOKED_THROUGH) return 'a text too long to be looked through';
  return scrub(text).slice(0, MAX_TEXT);
}

/** Where it was thrown, without its words: for faults whose words may hold what we have no list of secrets for. */
export function traceOf(error: unknown): string {
  const lines = describeError(error).split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).join('\n');
}

function describe(error: unknown, causes: number): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const own = withFewFrames(String(error.stack ?? `${error.name}: ${error.message}`));
  return error.cause === undefined || causes === 0 ? own : `${own}\ncaused by: ${describe(error.cause, causes - 1)}`;
}

const MAX_FRAMES = 5;
/** The folder of skills/, or where the bundled program is. */
const OURS = import.meta.dirname.replace(/[\\/]record$/, '');
const isFrame = (line: string): boolean => /^\s+at /.test(line);

/** The frames in the code of the skill's author. Ours and Node's tell them nothing: shown only where there are no others. */
function withFewFrames(stack: string): string {
  const lines = stack.split('\n');
  const frames = lines.filter(isFrame);
  const theirs = frames.filter((line) => !line.includes(OURS) && !/[( ]node:|\(<anonymous>\)$/.test(line));
  const shown = (theirs.length > 0 ? theirs : frames).slice(0, MAX_FRAMES);
  return [...lines.filter((line) => !isFrame(line)), ...shown].join('\n');
}
