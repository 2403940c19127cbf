// Build and read skill:// addresses. What is read back is a list of names to look up; it never becomes a path.

import { toOneLine } from '../text/one-line.ts';
import { fail, ok, type Result } from '../values/result.ts';

/** The address of a skill's SKILL.md. `segments` are the folders below its root. */
export const skillUri = (segments: readonly string[]): string => `${directoryUri(segments)}/SKILL.md`;

/** The address of a file in a skill's folder. `path` is relative to the folder, with `/`. */
export const fileUri = (segments: readonly string[], path: string): string =>
  directoryUri([...segments, ...path.split('/')]);

/** The address of a folder: without a slash at its end. */
export const directoryUri = (segments: readonly string[]): string => SCHEME + segments.map(encodeSegment).join('/');

/** The decoded segments, at least one; or a sentence that says what is wrong with the address. */
export const parseSkillUri = (uri: string): Result<readonly string[], string> => {
  if (!/^skill:\/\//i.test(uri)) return refuse(uri, 'it does not start with "skill://"');
  if (uri.length > MAX_URI) return refuse(uri, `it has more than ${MAX_URI} characters`);
  const path = uri.slice(SCHEME.length);
  const fault = RAW_FAULTS.find(({ pattern }) => pattern.test(path));
  if (fault !== undefined) return refuse(uri, fault.text);
  const segments: string[] = [];
  for (const part of path.split('/')) {
    const segment = decodeSegment(part);
    if (segment === undefined) return refuse(uri, 'its percent-encoding is not valid UTF-8');
    const text = segmentFault(segment);
    if (text !== undefined) return refuse(uri, text);
    segments.push(segment);
  }
  return segments.length > MAX_PARTS ? refuse(uri, `it has more than ${MAX_PARTS} parts`) : ok(segments);
};

/** The one spelling under which an address is looked up; equivalent encodings have the same one. */
export const canonicalSkillUri = (uri: string): Result<string, string> => {
  if (uri.length <= USUAL_URI && CANONICAL.test(uri)) return ok(uri);
  const parsed = parseSkillUri(uri);
  return parsed.ok ? ok(directoryUri(parsed.value)) : parsed;
};

const SCHEME = 'skill://';
/** Only unreserved characters, and no segment of dots: nothing to decode, nothing to refuse. */
const CANONICAL = /^skill:\/\/(?:(?!\.{1,2}(?:\/|$))[\w.~-]+(?:\/(?!$)|$))+$/;
const UNRESERVED = /^[\w.~-]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

const encodeSegment = (segment: string): string => {
  if (UNRESERVED.test(segment)) return segment;
  // encodeURIComponent throws on lone surrogates, and leaves five characters bare that RFC 3986 reserves.
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
};

const decodeSegment = (part: string): string | undefined => {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    if (cause instanceof URIError) return undefined;
    throw cause;
  }
};

/** No path on disk is longer, percent-encoded and all; what is longer is not worth the work of a look-up. */
const MAX_URI = 16_384;
const MAX_PARTS = 256;
/** Too short to break either limit. */
const USUAL_URI = 500;

const RAW_FAULTS: readonly { readonly pattern: RegExp; readonly text: string }[] = [
  { pattern: /[?#]/, text: 'it has a query or a fragment' },
  { pattern: /\\/, text: 'it has a backslash' },
  { pattern: /[\0-\x1f\x7f]/, text: 'it has a control character' },
];

const segmentFault = (segment: string): string | undefined => {
  if (segment === '') return 'it has an empty part between slashes';
  if (segment === '.' || segment === '..') return 'it has a "." or ".." part';
  // An encoded backslash is a character of a name: a file may bear it, and a name is looked up, never joined to a path.
  if (/[/\0]/.test(segment)) return 'it has an encoded slash or NUL';
  if (LONE_SURROGATE.test(segment)) return 'it is not valid Unicode';
  return undefined;
};

const refuse = (uri: string, text: string): Result<never, string> =>
  fail(`Cannot use the address "${toOneLine(uri, 100)}": ${text}; write skill://<folder>/SKILL.md as it is listed`);
