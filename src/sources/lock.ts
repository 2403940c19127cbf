// The lock: which skills of which sources, at which commits, with which digests (S2). Its bytes depend on nothing else. Pure.
import { compareCodePoints } from '../document/names.ts';
import { toOneLine } from '../text/one-line.ts';
import { isRecord } from '../values/is-record.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { addressFault } from './source-address.ts';

export interface LockedSkill {
  readonly name: string;
  /** Its folder in the source, with `/`; `.` is the source's top. */
  readonly path: string;
  /** `sha256:…` over its manifest. */
  readonly digest: string;
}

export interface LockedSource {
  readonly source: string;
  /** As it was asked for; `null`: the source's own. */
  readonly ref: string | null;
  /** Of git: the commit. Of an index: the SHA-256 of its bytes. */
  readonly commit: string;
  /** Folders that were asked for; none: all. */
  readonly paths: readonly string[];
  readonly skills: readonly LockedSkill[];
}

export interface Lock {
  readonly sources: readonly LockedSource[];
}

export const EMPTY_LOCK: Lock = { sources: [] };

/** The same bytes for the same state, on every machine (S2). */
export const renderLock = ({ sources }: Lock): string =>
  `${JSON.stringify({ version: 1, sources: [...sources].sort(bySource).map(orderedSource) }, null, 2)}\n`;

const orderedSource = ({ source, ref, commit, paths, skills }: LockedSource) => ({
  source,
  ref,
  commit,
  paths: [...paths].sort(compareCodePoints),
  skills: [...skills].sort(byPath).map(({ name, path, digest }) => ({ name, path, digest })),
});

const bySource = (a: LockedSource, b: LockedSource): number => compareCodePoints(a.source, b.source);
const byPath = (a: LockedSkill, b: LockedSkill): number => compareCodePoints(a.path, b.path);

/** With this source, in the place of one of the same name. */
export const withSource = ({ sources }: Lock, added: LockedSource): Lock => ({
  sources: [...sources.filter(({ source }) => source !== added.source), added].sort(bySource),
});

export const withoutSource = ({ sources }: Lock, name: string): Lock => ({
  sources: sources.filter(({ source }) => source !== name),
});

/** Strict: the failure names the place, to follow a colon. */
export function parseLock(text: string): Result<Lock, string> {
  const json = parseJson(text);
  if (!json.ok) return json;
  const fault = lockFault(json.value);
  if (fault !== undefined) return fail(fault);
  const { sources } = json.value as Lock; // true: every field was looked at
  return ok({ sources: [...sources].sort(bySource) });
}

function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (/^(?:<{7}|={7}|>{7})/m.test(text))
      return fail('it has the marks of a merge conflict; keep the entries of both sides, and remove the marks');
    return fail(`it is no JSON (${toOneLine(error.message, 120)})`);
  }
}

type Check = (value: unknown, at: string) => string | undefined;

function lockFault(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no object';
  if (value.version !== 1) return `version is ${shown(value.version)}; this program reads version 1`;
  return fieldsFault(value, '', { version: () => undefined, sources: listOf(sourceFault, 'source') });
}

const sourceFault: Check = (value, at) =>
  fieldsFault(value, at, {
    source: (source, place) => {
      if (typeof source !== 'string') return `${place} is no text`;
      const fault = addressFault(source);
      return fault === undefined ? undefined : `${place}: ${fault}`;
    },
    ref: (ref, place) => (ref === null ? undefined : textFault(ref, place)),
    commit: (commit, place) => (isMatch(commit, COMMIT) ? undefined : `${place} is no commit`),
    paths: listOf(pathFault),
    skills: listOf(skillFault, 'path'),
  });

const skillFault: Check = (value, at) =>
  fieldsFault(value, at, {
    name: (name, place) => (typeof name === 'string' && name !== '' ? undefined : `${place} is no name`),
    path: (path, place) =>
      isMatch(path, /^\P{Cc}+$/u) && (path === '.' || isCleanPath(String(path)))
        ? undefined
        : `${place} is no path below the source: ${shown(path)}`,
    digest: (digest, place) =>
      isMatch(digest, DIGEST) ? undefined : `${place} is not "sha256:" and 64 lower-case hexadecimal digits`,
  });

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const CONTROL = /[\p{Cc}\p{Surrogate}]/u;

const isMatch = (value: unknown, shape: RegExp): boolean => typeof value === 'string' && shape.test(value);

/** It is handed to git: nothing that reads as an option (S5). */
function textFault(value: unknown, at: string): string | undefined {
  if (typeof value !== 'string' || value === '') return `${at} is no text`;
  if (value.startsWith('-') || CONTROL.test(value)) return `${at} begins with "-" or has a control character`;
  return undefined;
}

function pathFault(value: unknown, at: string): string | undefined {
  const fault = textFault(value, at);
  if (fault !== undefined || value === '.') return fault;
  return isCleanPath(String(value)) ? undefined : `${at} is no path below the source: ${shown(value)}`;
}

/** Folders below something, with `/`: no step leads up, none is empty. */
export const isCleanPath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !path.includes('\\');

/** `unique`: the field by which no two may be the same. */
const listOf =
  (check: Check, unique?: string): Check =>
  (value, at) => {
    if (!Array.isArray(value)) return `${at} is no list`;
    const seen = new Set<unknown>();
    for (const [index, each] of value.entries()) {
      const fault = check(each, `${at}[${index}]`);
      if (fault !== undefined) return fault;
      const key = unique === undefined ? each : (each as Record<string, unknown>)[unique]; // true: checked just now
      if (seen.has(key)) return `${at}[${index}] is there twice: ${shown(key)}`;
      seen.add(key);
    }
    return undefined;
  };

function fieldsFault(value: unknown, at: string, fields: Readonly<Record<string, Check>>): string | undefined {
  if (!isRecord(value)) return `${at} is no object`;
  const place = (name: string) => (at === '' ? name : `${at}.${name}`);
  const stranger = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (stranger !== undefined) return `${place(toOneLine(stranger, 40))} is no field of a lock`;
  for (const [name, check] of Object.entries(fields)) {
    const fault = check(value[name], place(name));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What is nested may be so deep that it cannot be written out. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return toOneLine(JSON.stringify(value), 80);
}
