// References in the texts of a workflow: `${steps.ID.output.FIELD.0}`. `$${` is a plain `${`. Every text is read once: what a
// reference stands for is never read for references again.
import { fail, ok, type Result } from '../../values/result.ts';

export interface Reference {
  /** As it was written, without `${` and `}`. */
  readonly text: string;
  readonly stepId: string;
  /** Below the step's output. */
  readonly path: readonly string[];
}

/** A piece of a text: words, or a reference, or a `${…}` that is none. */
export type TextPart =
  | { readonly kind: 'words'; readonly words: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'wrong'; readonly text: string };

/** From a `${` at most to the next brace: a text full of them is read once. */
const MARKS = /\$\$\{|\$\{(?:([^{}]*)\})?/g;

export function parseText(text: string): readonly TextPart[] {
  if (!text.includes('${')) return [{ kind: 'words', words: text }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const mark of text.matchAll(MARKS)) {
    parts.push({ kind: 'words', words: text.slice(end, mark.index) }, partOf(mark));
    end = mark.index + mark[0].length;
  }
  parts.push({ kind: 'words', words: text.slice(end) });
  return parts.filter((part) => part.kind !== 'words' || part.words !== '');
}

/** How many marks there are, counted up to `most`; those that stand for a plain `${` do not count. */
export function countMarks(text: string, most: number): number {
  if (!text.includes('${')) return 0;
  let count = 0;
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark !== '$${') count += 1;
    if (count >= most) break;
  }
  return count;
}

function partOf([mark, inner]: RegExpExecArray): TextPart {
  if (mark === '$${') return { kind: 'words', words: '${' };
  const reference = inner === undefined ? undefined : parseReference(inner);
  return reference === undefined ? { kind: 'wrong', text: mark } : { kind: 'reference', reference };
}

const FORM = /^steps\.([A-Za-z][\w-]*)\.output((?:\.[^.[\]{}]+|\[\d{1,9}\])*)$/;

function parseReference(text: string): Reference | undefined {
  const [, stepId, path = ''] = FORM.exec(text) ?? [];
  if (stepId === undefined) return undefined;
  return { text, stepId, path: path.match(/[^.[\]]+/g) ?? [] };
}

/** What it stands for in the output of its step. Own fields and places in lists, nothing that objects have by nature. */
export function findValue({ path }: Reference, output: unknown): Result<unknown, undefined> {
  let value = output;
  for (const segment of path) {
    if (!hasPlace(value, segment)) return fail(undefined);
    value = value[segment];
  }
  return ok(value);
}

function hasPlace(value: unknown, segment: string): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  // A list has a length of its own, too; only its places count.
  if (Array.isArray(value) && !/^\d+$/.test(segment)) return false;
  return Object.hasOwn(value, segment);
}
