// Cuts a Markdown body into passages of about a hundred words, by section, and says what is heading, prose and code.

export type SegmentKind = 'heading' | 'prose' | 'code';

/** A stretch of the body. `passage` counts from 0; a heading belongs to the passage that it opens. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly kind: SegmentKind;
  readonly passage: number;
}

/** A section shorter than this joins the next one: three words under a heading are no passage. */
const SHORT_PASSAGE = 240;
/** From here on a passage ends with its paragraph; about a hundred words. */
const FULL_PASSAGE = 600;
/** Here it ends in any case. */
const LONGEST_PASSAGE = 1000;

const HEADING = /^ {0,3}#{1,6}[ \t]/;
const FENCE = /^\s{0,12}(`{3,}|~{3,})/;
/** Enough of a line to recognise a heading or a fence. */
const LINE_OPENING = 40;

/** One after the other, so that the caller may rest between two of them. */
export function* segmentsOf(body: string): Generator<Segment, void> {
  const state: State = { passage: 0, length: 0, fence: undefined };
  let from = 0;
  while (from < body.length) {
    const to = lineEnd(body, from);
    const kind = readLine(body, from, to, state);
    if (to > from) yield { from, to, kind, passage: state.passage };
    from = to + (body[to] === '\n' ? 1 : 0);
  }
}

interface State {
  passage: number;
  /** Characters of the present passage. */
  length: number;
  /** The opening of the code block that we are in. */
  fence: string | undefined;
}

/** A line of a megabyte is cut at a space, so that no passage grows without bound. */
function lineEnd(body: string, from: number): number {
  // Only so far is looked: a search to the end of the body, for each piece of a long line, would never be done.
  const near = body.slice(from, from + LONGEST_PASSAGE + 1);
  const newline = near.indexOf('\n');
  if (newline !== -1) return from + newline;
  if (near.length <= LONGEST_PASSAGE) return body.length;
  const space = near.lastIndexOf(' ');
  return from + (space > 0 ? space : LONGEST_PASSAGE);
}

function readLine(body: string, from: number, to: number, state: State): SegmentKind {
  const opening = body.slice(from, Math.min(to, from + LINE_OPENING));
  const isFence = turnFence(opening, state);
  const kind = isFence || state.fence !== undefined ? 'code' : HEADING.test(opening) ? 'heading' : 'prose';
  if (endsPassage(opening, kind, state)) {
    state.passage += 1;
    state.length = 0;
  }
  state.length += to - from;
  return kind;
}

function endsPassage(opening: string, kind: SegmentKind, { length }: State): boolean {
  if (length >= LONGEST_PASSAGE) return true;
  if (kind === 'heading') return length >= SHORT_PASSAGE;
  return length >= FULL_PASSAGE && kind === 'prose' && opening.trim() === '';
}

/** Opens or closes a code block; true for the fence's own line. */
function turnFence(opening: string, state: State): boolean {
  const fence = FENCE.exec(opening)?.[1];
  if (fence === undefined) return false;
  if (state.fence === undefined) state.fence = fence;
  else if (fence.startsWith(state.fence)) state.fence = undefined;
  else return false;
  return true;
}
