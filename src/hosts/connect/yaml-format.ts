// YAML: one entry put in or taken out as whole lines, so that comments, quotes and indentation of all others stay.
import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { fail, ok, type Result } from '../../values/result.ts';
import type { ConfigFormat, OpenText } from './config-format.ts';
import { createFields, type Fields, isFields, nest, toValue } from './fields.ts';
import { appendLines, applyEdits, indentAt, lineEnding, lineStart, nextLine, type TextEdit } from './text-edits.ts';

export const yamlFormat: ConfigFormat = { open, render };

function open(text: string): Result<OpenText, string> {
  const lineCounter = new LineCounter();
  // The library compares each key with all before it; ours are looked up.
  const document = parseDocument(text, { logLevel: 'error', uniqueKeys: false, lineCounter });
  const [error] = document.errors;
  if (error) return fail(`line ${error.linePos?.[0].line ?? 1}: ${sentences[error.code] ?? 'it is not valid YAML'}`);
  const double = findDoubleKey(document);
  if (double !== undefined) return fail(`line ${lineCounter.linePos(double).line}: a key appears twice`);
  const root = isMap(document.contents) ? document.contents : undefined;
  try {
    const fields = toValue(document.toJS({ maxAliasCount: 100 }) ?? createFields([]));
    if (!isFields(fields)) return fail('it is not a map of keys and values');
    return ok({
      fields,
      put: (keys, entry) => put(text, root, keys, entry),
      remove: (keys) => remove(text, root, keys),
    });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error; // The library's word for aliases that lead nowhere, or too far.
    return fail('it has aliases that cannot be resolved');
  }
}

const sentences: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'it contains several documents',
  RESOURCE_EXHAUSTION: 'it is nested too deeply to be edited safely; edit the entry by hand',
  TAB_AS_INDENT: 'a tab is used for indentation',
};

/** Where it stands for the second time. */
function findDoubleKey(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map: (_key, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) found = rangeOf(key)?.[0] ?? 0;
        keys.add(key.value);
      }
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

function put(text: string, root: YAMLMap | undefined, keys: readonly string[], entry: Fields): string {
  const eol = lineEnding(text);
  if (root === undefined) return appendLines(text, render(keys, entry));
  let map = root;
  for (const [index, key] of keys.entries()) {
    const pair = findPair(map, key);
    const rest = keys.slice(index + 1);
    if (pair === undefined) return withPair(text, { map, isRoot: index === 0 }, render(keys.slice(index), entry), eol);
    if (rest.length === 0) return replaced(text, map, pair, render([key], entry), eol);
    if (!isMap(pair.value) || (pair.value.flow && pair.value.items.length === 0)) {
      return filled(text, pair, render(rest, entry), eol);
    }
    map = pair.value;
  }
  return text;
}

function remove(text: string, root: YAMLMap | undefined, keys: readonly string[]): string {
  let map = root;
  let owner: FoundPair | undefined;
  for (const key of keys.slice(0, -1)) {
    owner = map && findPair(map, key);
    map = owner && isMap(owner.value) ? owner.value : undefined;
  }
  const pair = map && findPair(map, keys.at(-1) ?? '');
  if (map === undefined || pair === undefined) return text;
  if (map.flow) return applyEdits(text, [flowRemoval(text, pair)]);
  const lines = { start: lineStart(text, pair.start), end: nextLine(text, lastWordEnd(text, pair)), text: '' };
  // A key without anything below it would be null.
  const colon = owner && map.items.length === 1 ? text.indexOf(':', owner.keyEnd) + 1 : undefined;
  return applyEdits(text, colon === undefined ? [lines] : [lines, { start: colon, end: colon, text: ' {}' }]);
}

function render(keys: readonly string[], entry: Fields): string {
  return stringify(nest(keys, entry), { lineWidth: 0 }).trimEnd();
}

interface FoundPair {
  readonly start: number;
  readonly keyEnd: number;
  readonly value: unknown;
  readonly valueStart: number;
  /** Of a block this is the start of a line below it. */
  readonly end: number;
}

const lastWordEnd = (text: string, { start, end }: FoundPair): number =>
  start + text.slice(start, end).trimEnd().length;

function findPair(map: YAMLMap, wanted: string): FoundPair | undefined {
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === wanted);
  return pair && locate(pair);
}

function locate({ key, value }: Pair): FoundPair {
  const [start, keyEnd] = rangeOf(key) ?? [0, 0];
  const [valueStart, end] = rangeOf(value) ?? [keyEnd, keyEnd];
  return { start, keyEnd, value, valueStart, end };
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return (node as { range?: [number, number, number] } | null)?.range; // true: every node of a parsed text has one
}

/** A new pair goes above the first one of its map: what stands below a map's last pair may belong to something else. */
function withPair(
  text: string,
  { map, isRoot }: { readonly map: YAMLMap; readonly isRoot: boolean },
  lines: string,
  eol: string,
): string {
  const [start = 0] = rangeOf(map) ?? [];
  if (map.flow) return applyEdits(text, [flowInsertion(start + 1, lines, map.items.length > 0)]);
  const indent = indentAt(text, start);
  if (isRoot && !/^\.\.\./m.test(text.slice(start))) return appendLines(text, indented(lines, indent, '\n').trimEnd());
  const first = map.items[0];
  const at = lineStart(text, first ? locate(first).start : start);
  return applyEdits(text, [{ start: at, end: at, text: indented(lines, indent, eol) }]);
}

/** `key:`, `key: ~` and `key: {}` become a key with lines below it. */
function filled(text: string, pair: FoundPair, lines: string, eol: string): string {
  const { start, keyEnd, valueStart, end } = pair;
  const after = nextLine(text, valueStart === end ? keyEnd : end);
  const gap = text.slice(0, after).endsWith('\n') ? '' : eol;
  const from = valueStart === end ? end : text.slice(0, valueStart).trimEnd().length;
  return applyEdits(text, [
    { start: from, end, text: '' },
    { start: after, end: after, text: gap + indented(lines, `${indentAt(text, start)}  `, eol) },
  ]);
}

function replaced(text: string, map: YAMLMap, pair: FoundPair, lines: string, eol: string): string {
  const { start, end } = pair;
  if (map.flow) return applyEdits(text, [{ start, end, text: flowText(lines) }]);
  return applyEdits(text, [
    { start, end: lastWordEnd(text, pair), text: indented(lines, indentAt(text, start), eol).trim() },
  ]);
}

const indented = (lines: string, indent: string, eol: string): string =>
  lines
    .split('\n')
    .map((line) => `${line === '' ? '' : indent}${line}${eol}`)
    .join('');

/** JSON is YAML's way of writing on one line. */
function flowText(lines: string): string {
  return JSON.stringify(parseDocument(lines).toJS()).slice(1, -1);
}

function flowInsertion(at: number, lines: string, hasOthers: boolean): TextEdit {
  return { start: at, end: at, text: flowText(lines) + (hasOthers ? ', ' : '') };
}

function flowRemoval(text: string, { start, end }: FoundPair): TextEdit {
  const following = /^\s*,\s*/.exec(text.slice(end))?.[0];
  if (following !== undefined) return { start, end: end + following.length, text: '' };
  const preceding = /,\s*$/.exec(text.slice(0, start))?.[0] ?? '';
  return { start: start - preceding.length, end, text: '' };
}
