// What of a payload may be stored, printed or shown: a copy without secrets, in text that every database takes.
import { isRecord } from '../is-record.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { createPlaces, type Place } from './places.ts';
import { REDACTED, type Secrets } from './scrub.ts';

export interface Redactor {
  /** The texts and numbers under a secret mark, at any depth. */
  readonly secretsIn: (value: unknown) => readonly string[];
  /**
   * The copy. Values of fields that the schema does not know are left out: nobody said that they are no secret.
   * `instead`: what stands in place of a part, which then is not looked at.
   */
  readonly redact: (value: unknown, secrets: Secrets, instead?: Instead) => unknown;
}

/** By field or position: what stands there instead, or deeper. */
export interface Instead {
  readonly value?: unknown;
  readonly inside?: ReadonlyMap<string | number, Instead>;
}

const NO_SECRETS: readonly string[] = [];
export const UNKNOWN = '[unknown field]';
/** Instead of a text or a number where a list or an object with secrets belongs: it may be one of them. */
const WRONG_TYPE = '[wrong type]';
const TOO_DEEP = '[nested too deeply]';
const MAX_DEPTH = 64;

export function createRedactor(root: JsonSchema): Redactor {
  const top = createPlaces(root);
  const marked = JSON.stringify(root).includes('"secret":true');
  return {
    secretsIn: (value) => {
      if (!marked) return NO_SECRETS;
      const found: string[] = [];
      collect(top, value, found, 0);
      return found;
    },
    redact: (value, secrets, instead) => copy(value, top, { secrets, instead, depth: 0 }),
  };
}

function collect(place: Place, value: unknown, found: string[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (place.secret) {
    // The names in a record are its owner's; those of an object are the author's, and in every message.
    if (!place.hasNames && isRecord(value)) for (const name of Object.keys(value)) found.push(name);
    return void collectLeaves(value, found, depth);
  }
  if (place.hidesLeaf && typeof value !== 'object') return void collectLeaves(value, found, depth);
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) collectIn(place.item(index), inner, found, depth);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) collectIn(place.field(name), value[name], found, depth);
  }
}

function collectIn(place: Place | undefined, value: unknown, found: string[], depth: number): void {
  if (place !== undefined) collect(place, value, found, depth + 1);
}

function collectLeaves(value: unknown, found: string[], depth: number): void {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'number' || typeof value === 'bigint') found.push(String(value));
  else if (typeof value === 'object' && value !== null && depth <= MAX_DEPTH) {
    for (const inner of Object.values(value)) collectLeaves(inner, found, depth + 1);
  }
}

interface Copying {
  readonly secrets: Secrets;
  readonly instead: Instead | undefined;
  readonly depth: number;
}

function copy(value: unknown, place: Place, copying: Copying): unknown {
  if (copying.instead?.value !== undefined) return copying.instead.value;
  if (place.secret) return REDACTED;
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value !== 'object') return place.hidesLeaf ? WRONG_TYPE : copyLeaf(value, copying.secrets);
  if (copying.depth > MAX_DEPTH) return TOO_DEEP;
  return Array.isArray(value) ? copyList(value, place, copying) : copyRecord(value, place, copying);
}

function copyList(value: readonly unknown[], place: Place, copying: Copying): unknown {
  return value.map((inner, index) => {
    const child = place.item(index);
    return child === undefined ? UNKNOWN : copy(inner, child, inside(copying, index));
  });
}

/** A name tells enough for mending an input; thousands of them would only fill the log. */
const MOST_UNKNOWN = 20;

function copyRecord(value: object, place: Place, copying: Copying): unknown {
  const copied: [string, unknown][] = [];
  let unknown = 0;
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (inner === undefined) continue;
    const child = place.field(name);
    if (child === undefined && ++unknown > MOST_UNKNOWN) continue;
    const shown = child === undefined ? UNKNOWN : copy(inner, child, inside(copying, name));
    copied.push([cleanText(copying.secrets.scrub(name)), shown]);
  }
  if (unknown > MOST_UNKNOWN) copied.push(['…', `${(unknown - MOST_UNKNOWN).toLocaleString('en')} more`]);
  return Object.fromEntries(copied);
}

const inside = ({ secrets, instead, depth }: Copying, key: string | number): Copying => ({
  secrets,
  instead: instead?.inside?.get(key),
  depth: depth + 1,
});

/** A secret number is one in the log too. */
function copyLeaf(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return cleanText(secrets.scrub(value));
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const text = String(value);
  return secrets.scrub(text) === text ? value : REDACTED;
}

const cleanText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
