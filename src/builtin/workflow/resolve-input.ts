// The input of a step with its references replaced by what they stand for. No fault quotes the input, only the place in it.
import { pathText } from '../../skills/check/violation.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { findValue, parseText, type Reference, type TextPart } from './reference.ts';

type Path = readonly (string | number)[];

export type Outputs = ReadonlyMap<string, unknown>;

/** A text with many references to a long output would fill the memory; no skill takes a larger input anyway. */
const MOST_CHARACTERS = 1_048_576;

/** The failure is the end of "step …: ". */
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
