// What is written in a form, and the input that it stands for. The server judges it: a number that is none is sent as it is.
import { type JsonSchema, type PathSegment, pathText } from '../../../src/skills/check/json-schema.ts';
import { jsonFaultText } from '../text/json-fault.ts';
import { type Field, fieldOf, type Property } from './field-shape.ts';

/** Text for every single value, '' for none; `null` where null itself is to be sent. */
export type Draft = string | null | readonly Draft[] | { readonly [name: string]: Draft };

export type Drafts = { readonly [name: string]: Draft };

export interface Reading {
  /** `undefined`: the field is left out. */
  readonly value: unknown;
  /** What is not even JSON, by path. */
  readonly faults: ReadonlyMap<string, string>;
}

/** What the log shows in place of a secret. */
const REDACTED = '[redacted]';

export function emptyDraft({ shape }: Field): Draft {
  if (shape.kind === 'list') return [];
  return shape.kind === 'group' ? {} : '';
}

interface DraftOptions {
  readonly depth?: number;
  /** `kept`: of an example that was made up. */
  readonly secrets?: 'kept' | 'left out';
}

/** What an earlier input looks like in the form. Secret fields stay empty: the log does not know them. */
export function draftOf(root: JsonSchema, schema: JsonSchema, value: unknown, options: DraftOptions = {}): Draft {
  const { depth = 0, secrets = 'left out' } = options;
  const field = fieldOf(root, schema, depth);
  const { shape } = field;
  const inner = { depth: depth + 1, secrets };
  if (value === null) return field.takesNull ? null : '';
  if (value === undefined || value === REDACTED) return emptyDraft(field);
  if (shape.kind === 'secret') return secrets === 'kept' ? String(value) : '';
  if (shape.kind === 'list')
    return Array.isArray(value) ? value.map((item) => draftOf(root, shape.item, item, inner)) : [];
  if (shape.kind === 'group') return groupDraft(root, shape.properties, value, inner);
  if (shape.kind === 'moment') return typeof value === 'string' ? toLocalTime(value) : '';
  if (shape.kind === 'json') return JSON.stringify(value, null, 2);
  if (shape.kind === 'choice') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function groupDraft(root: JsonSchema, properties: readonly Property[], value: unknown, inner: DraftOptions): Draft {
  if (typeof value !== 'object' || value === null) return {};
  const fields = new Map(Object.entries(value));
  return Object.fromEntries(
    properties.map(({ name, schema }) => [name, draftOf(root, schema, fields.get(name), inner)]),
  );
}

export function readDraft(root: JsonSchema, draft: Draft): Reading {
  const faults = new Map<string, string>();
  const value = read({ root, faults, path: [] }, root, draft, true);
  return { value: value ?? {}, faults };
}

interface Way {
  readonly root: JsonSchema;
  readonly faults: Map<string, string>;
  readonly path: readonly PathSegment[];
}

const into = (way: Way, segment: PathSegment): Way => ({ ...way, path: [...way.path, segment] });

function read(way: Way, schema: JsonSchema, draft: Draft, isRequired: boolean): unknown {
  const field = fieldOf(way.root, schema, way.path.length);
  const { shape } = field;
  if (draft === null) return null;
  if (shape.kind === 'list') return readList(way, shape.item, draft, isRequired);
  if (shape.kind === 'group') return readGroup(way, shape.properties, draft, isRequired);
  const text = typeof draft === 'string' ? draft : '';
  if (text === '') return isRequired && takesEmptyText(field) ? '' : undefined;
  return readText(way, field, text);
}

function readList(way: Way, item: JsonSchema, draft: Draft, isRequired: boolean): unknown {
  const items = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
  if (items.length === 0) return isRequired ? [] : undefined;
  return items.map((inner, index) => {
    const value = read(into(way, index), item, inner, true);
    // An entry that is left empty is still an entry; one that is null is null.
    return value === undefined ? '' : value;
  });
}

function readGroup(way: Way, properties: readonly Property[], draft: Draft, isRequired: boolean): unknown {
  const drafts = asDrafts(draft);
  const entries = properties
    .map(({ name, schema, isRequired: isNeeded }) => {
      const inner = ownDraft(drafts, name);
      return [name, read(into(way, name), schema, inner ?? (inner === null ? null : ''), isNeeded)] as const;
    })
    .filter(([, value]) => value !== undefined);
  // The empty texts of required fields alone do not make an optional group.
  const isGiven = entries.some(([, value]) => value !== '');
  return isRequired || isGiven ? Object.fromEntries(entries) : undefined;
}

const takesEmptyText = ({ shape, schema }: Field): boolean =>
  shape.kind === 'text' && !schema.minLength && schema.format === undefined && schema.pattern === undefined;

function readText(way: Way, { shape }: Field, text: string): unknown {
  if (shape.kind === 'number') return Number.isFinite(Number(text)) && text.trim() !== '' ? Number(text) : text;
  if (shape.kind === 'truth') return text === 'true';
  if (shape.kind === 'moment') return toZonedTime(text);
  if (shape.kind !== 'choice' && shape.kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    way.faults.set(pathText(way.path), jsonFaultText(text));
    return undefined;
  }
}

/** The paths of all fields that the form shows; those that are one text for all that is in them end in `*`. */
export function fieldPaths(
  root: JsonSchema,
  schema: JsonSchema,
  draft: Draft | undefined,
  path: readonly PathSegment[] = [],
): readonly string[] {
  const { shape } = fieldOf(root, schema, path.length);
  const own = pathText(path);
  if (shape.kind === 'json') return [`${own}*`];
  if (shape.kind === 'list') {
    const items = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
    return [own, ...items.flatMap((inner, index) => fieldPaths(root, shape.item, inner, [...path, index]))];
  }
  if (shape.kind !== 'group' || draft === null) return [own];
  const drafts = asDrafts(draft);
  return [
    own,
    ...shape.properties.flatMap(({ name, schema: inner }) =>
      fieldPaths(root, inner, ownDraft(drafts, name), [...path, name]),
    ),
  ];
}

export const asDrafts = (draft: Draft | undefined): Drafts =>
  typeof draft === 'object' && draft !== null && !Array.isArray(draft) ? (draft as Drafts) : {};

export const ownDraft = (drafts: Drafts, name: string): Draft | undefined =>
  Object.hasOwn(drafts, name) ? drafts[name] : undefined;

/** What a date-time field of a browser takes: local, without a zone. */
function toLocalTime(zoned: string): string {
  const moment = new Date(zoned);
  if (Number.isNaN(moment.getTime())) return '';
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

function toZonedTime(local: string): string {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? local : moment.toISOString();
}
