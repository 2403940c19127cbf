// The fields of a JSON Schema as lines to read, at any depth: `tasks[].id: string of 1–200 characters, required · …`.
import { toOneLine } from '../../text/one-line.ts';
import { isRecord } from '../../values/is-record.ts';

export function schemaLines(schema: unknown): readonly string[] {
  const lines = fieldLines(schema, '', 0);
  return lines.length === 0 ? ['nothing'] : lines;
}

/** Deeper than this a person reads the schema itself (`--json`). */
const MAX_DEPTH = 4;

function fieldLines(schema: unknown, place: string, depth: number): readonly string[] {
  if (!isRecord(schema) || !isRecord(schema.properties) || depth > MAX_DEPTH) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const at = `${place}${name}`;
    const facts = [typeText(field), required.includes(name) ? 'required' : 'optional', ...defaultText(field)];
    return [toOneLine(`${at}: ${facts.join(', ')}${aboutText(field)}`), ...innerLines(field, at, depth + 1)];
  });
}

/** Of the objects in it: in a list, or beside a null. */
function innerLines(field: unknown, at: string, depth: number): readonly string[] {
  if (!isRecord(field)) return [];
  if (field.items !== undefined) return innerLines(field.items, `${at}[]`, depth);
  const choices = choicesOf(field);
  return choices ? choices.flatMap((choice) => innerLines(choice, at, depth)) : fieldLines(field, `${at}.`, depth);
}

const choicesOf = ({ anyOf, oneOf }: Readonly<Record<string, unknown>>): readonly unknown[] | undefined => {
  const choices = anyOf ?? oneOf;
  return Array.isArray(choices) ? choices : undefined;
};

function typeText(field: unknown): string {
  if (!isRecord(field)) return 'anything';
  if (Array.isArray(field.enum)) return field.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (field.const !== undefined) return JSON.stringify(field.const);
  const choices = choicesOf(field);
  if (choices) return choices.map(typeText).join(' | ');
  if (field.type === 'array') return `list of ${typeText(field.items)}${countText(field)}`;
  if (Array.isArray(field.type)) return field.type.join(' | ');
  return typeof field.type === 'string' ? `${formatOf(field, field.type)}${limitText(field)}` : 'anything';
}

/** `string` alone, and what it has to look like where that has a name: `uuid`, `date-time`. */
const formatOf = ({ format }: Readonly<Record<string, unknown>>, type: string): string =>
  typeof format === 'string' ? format : type;

function limitText({ minLength, maxLength, minimum, maximum }: Readonly<Record<string, unknown>>): string {
  const length = rangeText(minLength, maxLength);
  const size = rangeText(minimum, maximum).trimEnd();
  return length !== '' ? ` of ${length}characters` : size === '' ? '' : ` ${size}`;
}

function countText({ minItems, maxItems }: Readonly<Record<string, unknown>>): string {
  const count = rangeText(minItems, maxItems).trimEnd();
  return count === '' ? '' : ` (${count})`;
}

/** With a space after it: `1–200 `, `at most 5 `, `from 0 `; empty without limits. */
function rangeText(least: unknown, most: unknown): string {
  const [low, high] = [least, most].map((limit) => (isLimit(limit) ? limit : undefined));
  if (low !== undefined && high !== undefined) return `${low}–${high} `;
  if (high !== undefined) return `at most ${high} `;
  return low === undefined ? '' : `from ${low} `;
}

/** A schema for whole numbers says how far a number can count: that limits nobody. */
const isLimit = (limit: unknown): limit is number =>
  typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

const defaultText = (field: unknown): readonly string[] =>
  isRecord(field) && field.default !== undefined ? [`${JSON.stringify(field.default)} by default`] : [];

const aboutText = (field: unknown): string =>
  isRecord(field) && typeof field.description === 'string' ? ` · ${field.description}` : '';
