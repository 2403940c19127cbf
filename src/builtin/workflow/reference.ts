// References in the texts of a workflow: `${steps.ID.output.FIELD.0}`. `$${` is a plain `${`. Every text is read once: what a
// reference stands for is never read for references again.
import { pathText } from '../../skills/check/json-schema.ts';
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

type Path = readonly (string | number)[];

type Outputs = ReadonlyMap<string, unknown>;

/** A text with many references to a long output would fill the memory; no skill takes a larger input anyway. */
const MOST_CHARACTERS = 1_048_576;

/**
 * The input of a step with its references replaced by what they stand for. The failure is the end of "step …: "; it does not
 * quote the input, it only says where.
 */
export function resolveInput(input: unknown, outputs: Outputs): Result<unknown, string> {
  const faults = new Set<string>();
  let charactersLeft = MOST_CHARACTERS;
  const lookUp = (reference: Reference, path: Path): unknown => {
    const found = findValue(reference, outputs.get(reference.stepId));
    if (found.ok) return found.value;
    faults.add(`${pathText(path)}: holds a reference that stands for nothing: there is no such field in the output`);
    return null;
  };
  const fillText = (text: string, path: Path): unknown => {
    const parts = parseText(text);
    const [only] = parts;
    // Alone it keeps its type: a number, a list, an object.
    if (parts.length === 1 && only?.kind === 'reference') return lookUp(only.reference, path);
    return parts
      .map((part) => (part.kind === 'reference' ? take(written(lookUp(part.reference, path))) : wordsOf(part)))
      .join('');
  };
  const take = (text: string): string => {
    charactersLeft -= text.length;
    return charactersLeft < 0 ? '' : text;
  };
  const resolved = mapTexts(input, fillText, []);
  if (charactersLeft < 0) faults.add('the texts with their references filled in are larger than 1 MB');
  return faults.size === 0 ? ok(resolved) : fail([...faults].slice(0, 10).join('; '));
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What is no reference stays as it was written. */
const wordsOf = (part: Exclude<TextPart, { readonly kind: 'reference' }>): string =>
  part.kind === 'words' ? part.words : part.text;

/** Names of fields stay as they are. */
function mapTexts(value: unknown, change: (text: string, path: Path) => unknown, path: Path): unknown {
  if (typeof value === 'string') return change(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, change, [...path, index]));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change, [...path, name])]),
  );
}
