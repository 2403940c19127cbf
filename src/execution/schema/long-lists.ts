// Lists that are longer than their schema allows, cut before anything looks at their items: whoever calls decides how many.
import { findReferenced, isJsonSchema, type JsonSchema } from './json-schema.ts';
import { type PathSegment, pathText, type Violation } from './violation.ts';

export interface CutValue {
  /** The value itself where nothing is too long. */
  readonly value: unknown;
  readonly faults: readonly Violation[];
}

export function createListCut(root: JsonSchema): (value: unknown) => CutValue {
  if (!JSON.stringify(root).includes('"maxItems"')) return (value) => ({ value, faults: [] });
  return (value) => {
    const faults: Violation[] = [];
    return { value: cut(value, root, { root, path: [], faults }), faults };
  };
}

interface Walk {
  readonly root: JsonSchema;
  readonly path: PathSegment[];
  readonly faults: Violation[];
}

function cut(value: unknown, schema: unknown, walk: Walk): unknown {
  const meant = meantBy(schema, walk.root);
  if (meant === undefined) return value;
  if (Array.isArray(value)) return cutItems(cutList(value, meant.maxItems, walk), meant.items, walk);
  if (typeof value !== 'object' || value === null || !isJsonSchema(meant.properties)) return value;
  let changed: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(meant.properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const field = (value as Readonly<Record<string, unknown>>)[name];
    const kept = inside(walk, name, () => cut(field, inner, walk));
    if (kept === field) continue;
    changed ??= { ...value };
    changed[name] = kept;
  }
  return changed ?? value;
}

/** `X`, what it refers to, or the one of `X | null`; other choices are left to the check itself. */
function meantBy(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  if (!isJsonSchema(schema)) return undefined;
  const meant = findReferenced(root, schema);
  if (meant === undefined || !Array.isArray(meant.anyOf)) return meant;
  const [first, second, ...more] = meant.anyOf;
  return more.length === 0 && isJsonSchema(second) && second.type === 'null' ? meantBy(first, root) : undefined;
}

function cutList(list: readonly unknown[], most: unknown, { path, faults }: Walk): readonly unknown[] {
  if (typeof most !== 'number' || list.length <= most) return list;
  faults.push({ path: pathText(path), message: `must have at most ${most} items` });
  return list.slice(0, most);
}

function cutItems(list: readonly unknown[], schema: unknown, walk: Walk): readonly unknown[] {
  if (!isJsonSchema(schema)) return list;
  const kept = list.map((item, index) => inside(walk, index, () => cut(item, schema, walk)));
  return kept.some((item, index) => item !== list[index]) ? kept : list;
}

function inside<T>({ path }: Walk, segment: PathSegment, look: () => T): T {
  path.push(segment);
  const seen = look();
  path.pop();
  return seen;
}
