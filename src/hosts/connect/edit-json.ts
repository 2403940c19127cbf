// JSON with comments: one entry put in or taken out by small edits, so that every other byte stays.
import { fail, ok, type Result } from '../../values/result.ts';
import type { ConfigFormat } from './config-format.ts';
import { createFields, type Fields, isFields, type Value } from './fields.ts';
import { skipBlanks } from './json-blanks.ts';
import { type JsonMember, type JsonNode, parseJsonTree } from './json-tree.ts';
import { applyEdits, indentAt, lineEnding, type TextEdit } from './text-edits.ts';

export const jsonFormat: ConfigFormat = { parse, put, remove, render, isDouble };

function parse(text: string): Result<Fields, string> {
  const tree = parseJsonTree(text);
  if (!tree.ok) return tree;
  if (tree.value === undefined) return ok(createFields([]));
  return isFields(tree.value.value) ? ok(tree.value.value) : fail('it is not an object');
}

function put(text: string, keys: readonly string[], entry: Fields): string {
  const root = treeOf(text);
  if (root === undefined) return appended(text, render(keys, entry));
  let object = root;
  for (const [index, key] of keys.entries()) {
    const member = findMember(object, key);
    const rest = keys.slice(index + 1);
    if (member === undefined) return applyEdits(text, insertion(text, root, object, key, nest(rest, entry)));
    if (rest.length === 0) return applyEdits(text, [replacement(text, root, member, entry)]);
    object = member.value;
  }
  return text;
}

/** To a text of comments, or to none. The last of them may be one that takes all of its line. */
function appended(text: string, rendered: string): string {
  const eol = lineEnding(text);
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${rendered.replaceAll('\n', eol)}${eol}`;
}

function remove(text: string, keys: readonly string[]): string {
  const object = findParent(text, keys);
  const member = object && findMember(object, keys.at(-1) ?? '');
  return object && member ? applyEdits(text, removal(text, object, member)) : text;
}

/** Everything else reads the last one; without it the first one would come to light. */
function isDouble(text: string, keys: readonly string[]): boolean {
  const members = findParent(text, keys)?.members ?? [];
  return members.filter(({ key }) => key === keys.at(-1)).length > 1;
}

/** The object that holds the entry. */
function findParent(text: string, keys: readonly string[]): JsonNode | undefined {
  let object = treeOf(text);
  for (const key of keys.slice(0, -1)) object = object && findMember(object, key)?.value;
  return object;
}

function render(keys: readonly string[], entry: Fields): string {
  return JSON.stringify(nest(keys, entry), null, 2);
}

function treeOf(text: string): JsonNode | undefined {
  const tree = parseJsonTree(text);
  return tree.ok ? tree.value : undefined;
}

/** Of several with the same key the last one counts, as everywhere. */
const findMember = (object: JsonNode, key: string): JsonMember | undefined =>
  object.members?.findLast((member) => member.key === key);

const nest = (keys: readonly string[], value: Value): Value =>
  keys.reduceRight<Value>((inner, key) => createFields([[key, inner]]), value);

function replacement(text: string, root: JsonNode, { start, value }: JsonMember, entry: Fields): TextEdit {
  const before = text.slice(value.start, value.end);
  const style = { ...styleOf(text, root), isCompact: !before.includes('\n') && before !== '{}' };
  return { start: value.start, end: value.end, text: serialize(entry, indentAt(text, start), style) };
}

function insertion(text: string, root: JsonNode, object: JsonNode, key: string, value: Value): readonly TextEdit[] {
  const style = styleOf(text, root);
  const [first, last] = [object.members?.[0], object.members?.at(-1)];
  const isInline = first === undefined ? style.isCompact : !text.slice(object.start, first.start).includes('\n');
  const indent = first && !isInline ? indentAt(text, first.start) : indentAt(text, object.start) + style.unit;
  const shown = serialize(value, indent, { ...style, isCompact: isInline });
  const member = `${JSON.stringify(key)}${style.colon}${shown}${last?.comma === undefined ? '' : ','}`;
  const { from, at, isLineComment } = tailOf(text, object);
  const comma = last && last.comma === undefined ? ',' : '';
  const added = (words: string, end = at): readonly TextEdit[] =>
    from === at || comma === ''
      ? [{ start: at, end, text: comma + words }]
      : [
          { start: from, end: from, text: comma },
          { start: at, end, text: words },
        ];
  // A line comment would swallow what follows it.
  if (isInline && !isLineComment) return added(`${last && style.colon.endsWith(' ') ? ' ' : ''}${member}`);
  const close = object.end - 1;
  const hasLine = text.slice(at, close).includes('\n');
  const after = hasLine ? '' : style.eol + indentAt(text, object.start);
  return added(`${style.eol}${indent}${member}${after}`, hasLine ? at : close);
}

/** What stands between an object's last value or comma (`from`) and the last comment before its closing brace (`at`). */
function tailOf(text: string, { start, end, members = [] }: JsonNode) {
  const last = members.at(-1);
  const from = last === undefined ? start + 1 : last.comma === undefined ? last.value.end : last.comma + 1;
  const tail = text.slice(from, end - 1).trimEnd();
  const { lastComment } = skipBlanks(text, from);
  const isLineComment = lastComment !== undefined && text.startsWith('//', lastComment);
  return { from, at: from + tail.length, isLineComment };
}

function removal(text: string, object: JsonNode, member: JsonMember): readonly TextEdit[] {
  const members = object.members ?? [];
  const index = members.indexOf(member);
  const before = members[index - 1];
  const isLast = index === members.length - 1;
  const end = member.comma === undefined ? member.value.end : member.comma + 1;
  const start = text.slice(0, member.start).trimEnd().length;
  // Only blanks are left: an empty object, as most people write it.
  const inner = text.slice(object.start + 1, start) + text.slice(end, object.end - 1);
  if (members.length === 1 && inner.trim() === '') return [{ start: object.start + 1, end: object.end - 1, text: '' }];
  const comma = before?.comma;
  const own = { start: ownStart(text, start, member, end), end, text: '' };
  if (!isLast || member.comma !== undefined || comma === undefined) return [own];
  return comma + 1 === own.start ? [{ ...own, start: comma }] : [{ start: comma, end: comma + 1, text: '' }, own];
}

/** With its line, if nothing else stands on it. A newline above it may end a comment: then it must stay. */
function ownStart(text: string, wordEnd: number, { start }: JsonMember, end: number): number {
  const newline = text.lastIndexOf('\n', start - 1);
  if (newline < wordEnd) return wordEnd;
  if (!/^[ \t]*\r?\n/.test(text.slice(end))) return start;
  return text[newline - 1] === '\r' ? newline - 1 : newline;
}

interface Style {
  readonly eol: string;
  readonly unit: string;
  readonly colon: string;
  readonly isCompact: boolean;
}

function styleOf(text: string, { start, end, members = [] }: JsonNode): Style {
  const first = members[0];
  const onOwnLine = first !== undefined && text.slice(start, first.start).includes('\n');
  const colon = first === undefined ? ': ' : /^:\S/.test(text.slice(first.keyEnd)) ? ':' : ': ';
  return {
    eol: lineEnding(text),
    unit: (onOwnLine && indentAt(text, first.start)) || '  ',
    colon,
    isCompact: first !== undefined && !text.slice(start, end).includes('\n'),
  };
}

function serialize(value: Value, indent: string, { eol, unit, colon, isCompact }: Style): string {
  if (!isCompact) return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
  return colon === ':' ? JSON.stringify(value) : spaced(value);
}

/** On one line, with a space after each colon and comma. */
function spaced(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isFields(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}
