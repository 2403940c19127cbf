// References in the texts of a workflow: `${steps.ID.output.FIELD.0}`, and `${item.FIELD}` where a step goes through a list.
// `$${` is a plain `${`. Every text is read once: what a reference stands for is never read for references again.
import { pathText } from '../../skills/check/json-schema.ts';
import { fail, ok, type Result } from '../../values/result.ts';

export interface Reference {
  /** As it was written, without `${` and `}`. */
  readonly text: string;
  /** Whose output it looks into; `undefined`: the item of a list is meant. */
  readonly stepId: string | undefined;
  /** Below that output, or that item. */
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

const FORM = /^(?:steps\.([A-Za-z][\w-]*)\.output|item)((?:\.[^.[\]{}]+|\[\d{1,9}\])*)$/;

function parseReference(text: string): Reference | undefined {
  const found = FORM.exec(text);
  if (found === null) return undefined;
  const [, stepId, path = ''] = found;
  return { text, stepId, path: path.match(/[^.[\]]+/g) ?? [] };
}

/** Of a text that is one reference and nothing else. */
export function findOnlyReference(text: string): Reference | undefined {
  const [only, ...others] = parseText(text);
  return only?.kind === 'reference' && others.length === 0 ? only.reference : undefined;
}

/** What it stands for in the output of its step, or in its item. Own fields and places in lists, nothing that objects have by nature. */
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

/** What the references of a step can stand for. */
export interface Scope {
  /** By the id of the step. A step that was skipped is not there. */
  readonly outputs: ReadonlyMap<string, unknown>;
  /** What a step that goes through a list is at. */
  readonly item?: { readonly value: unknown } | undefined;
}

/** What a reference stands for; the failure is the end of "…: ". */
export function resolveReference(reference: Reference, { outputs, item }: Scope): Result<unknown, string> {
  const { stepId } = reference;
  // The check of the workflow has seen that there is such a step before this one, or an item.
  if (stepId !== undefined && !outputs.has(stepId)) return fail('holds a reference to a step that was skipped');
  const found = findValue(reference, stepId === undefined ? item?.value : outputs.get(stepId));
  const where = stepId === undefined ? 'item' : 'output';
  return found.ok ? found : fail(`holds a reference that stands for nothing: there is no such field in the ${where}`);
}

/** How many characters the texts may still have once their references are filled in. */
export interface TextBudget {
  charactersLeft: number;
}

/** A text with many references to a long output would fill the memory; no skill takes a larger input anyway. */
const MOST_CHARACTERS = 1_048_576;

/** One for all items of a list: together they fill no more than a single input could. */
export const createTextBudget = (): TextBudget => ({ charactersLeft: MOST_CHARACTERS });

/**
 * The input of a step with its references replaced by what they stand for. The failure is the end of "step …: "; it does not
 * quote the input, it only says where.
 */
export function resolveInput(
  input: unknown,
  scope: Scope,
  budget: TextBudget = createTextBudget(),
): Result<unknown, string> {
  const faults = new Set<string>();
  const lookUp = (reference: Reference, path: Path): unknown => {
    const found = resolveReference(reference, scope);
    if (found.ok) return found.value;
    faults.add(`${pathText(path)}: ${found.failure}`);
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
    budget.charactersLeft -= text.length;
    return budget.charactersLeft < 0 ? '' : text;
  };
  const resolved = mapTexts(input, fillText, []);
  if (budget.charactersLeft < 0) faults.add('the texts with their references filled in are larger than 1 MB');
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
