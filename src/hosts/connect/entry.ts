// An entry of a host's configuration: what is ours in it and what is not, and how it is shown without its secrets. Pure.
import { scrubShapes } from '../../text/credentials.ts';
import { createFields, type Fields, isFields, isSame, type Value } from './fields.ts';

/** By this name hosts know us. */
export const entryName = 'repertoire';

/**
 * The wanted entry, with what was added to the present one by hand: a time limit, variables, a note.
 * The present one itself, if it does what is wanted. `other`: an entry for the other way to connect.
 */
export function mergeEntry(present: Fields, wanted: Fields, other: Fields): Fields {
  const foreign = Object.keys(present).filter((key) => key in other && !(key in wanted));
  const isDone = Object.entries(wanted).every(([key, value]) => isMet(present[key], value));
  if (isDone && foreign.every((key) => key === 'type' && present[key] === 'stdio')) return present;
  const own = Object.entries(wanted).map(([key, value]) => [key, filledBy(present[key], value)] as const);
  const kept = Object.entries(present).filter(([key]) => !(key in wanted) && !(key in other));
  return createFields([...own, ...kept]);
}

const filledBy = (present: Value | undefined, wanted: Value): Value =>
  isFields(present) && isMet(present, wanted) ? present : wanted;

/** An empty map asks for nothing: one that was filled or dropped by hand may stay so. */
function isMet(present: Value | undefined, wanted: Value): boolean {
  if (!isFields(wanted) || Object.keys(wanted).length > 0) return isSame(present, wanted);
  return present === undefined || isFields(present);
}

const secretMaps: ReadonlySet<string> = new Set(['headers', 'http_headers', 'env', 'envs', 'environment']);
const secretName = /token|secret|passw|key|auth|credential/i;

/** For screens and logs: no header, variable or token is shown whole. */
export function maskSecrets(fields: Fields): Fields {
  return createFields(Object.entries(fields).map(([key, value]) => [key, maskField(key, value)]));
}

function maskField(key: string, value: Value): Value {
  // The name of a variable is no secret, and the reader needs it.
  if (typeof value === 'string' && /env(_var)?$/i.test(key)) return value;
  if (typeof value === 'string') return secretName.test(key) ? maskText(value) : maskUrl(value);
  if (Array.isArray(value)) return value.map((item, index) => maskItem(item, value[index - 1]));
  if (!isFields(value)) return value;
  if (!secretMaps.has(key)) return maskSecrets(value);
  return createFields(
    Object.entries(value).map(([name, inner]) => [name, typeof inner === 'string' ? maskText(inner) : inner]),
  );
}

/** Of a command line. */
export const maskWords = (words: readonly string[]): readonly string[] =>
  words.map((word, index) => String(maskItem(word, words[index - 1])));

/** `--token X` and `--token=X` */
function maskItem(item: Value, before: Value | undefined): Value {
  if (typeof item !== 'string') return item;
  if (typeof before === 'string' && /^-[^=]*$/.test(before) && secretName.test(before)) return maskText(item);
  const [option = '', ...rest] = item.split('=');
  return option.startsWith('-') && rest.length > 0 && secretName.test(option)
    ? `${option}=${maskText(rest.join('='))}`
    : maskUrl(item);
}

/** A password and the values of a query may be secrets. */
export function maskUrl(text: string): string {
  if (!/^https?:\/\//i.test(text)) return scrubShapes(text);
  return scrubShapes(text)
    .replace(/\/\/[^/@]*@/, '//…@')
    .replace(/([?&][^=&]*=)[^&]+/g, '$1…');
}

/** The last four characters tell a person which one it is; of a short one they would tell too much. */
function maskText(text: string): string {
  const [, scheme = '', secret = ''] = /^(Bearer |Basic )?(.*)$/is.exec(text) ?? [];
  return `${scheme}…${secret.length >= 16 ? secret.slice(-4) : ''}`;
}
