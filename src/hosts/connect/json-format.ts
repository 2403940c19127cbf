// JSON with comments: one entry put in or taken out by small edits, so that every other byte stays.
// The parser's own `modify` moves or drops the comments beside an entry, so only its tree and its scanner are used.
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { fail, ok, type Result } from '../../values/result.ts';
import type { ConfigFormat, OpenText } from './config-format.ts';
import { createFields, type Fields, isFields, nest, type Value } from './fields.ts';
import { appendLines, applyEdits, indentAt, lineEnding, type TextEdit } from './text-edits.ts';

export const jsonFormat: ConfigFormat = { open, render };

function open(text: string): Result<OpenText, string> {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) return fail(`line ${text.slice(0, error.offset).split('\n').length}: ${sentenceFor(error)}`);
  const fields = root === undefined ? createFields([]) : toValue(root);
  if (!isFields(fields)) return fail('it is not an object');
  return ok({
    fields,
    put: (keys, entry) => put(text, root, keys, entry),
    remove: (keys) => remove(text, findParent(root, keys), keys),
    // Everything else reads the last one; without it the first one would come to light.
    isDouble: (keys) => membersOf(findParent(root, keys)).filter((member) => keyOf(member) === keys.at(-1)).length > 1,
  });
}

const sentenceFor = ({ error }: ParseError): string =>
  sentences[printParseErrorCode(error)] ?? 'this is not valid JSON';

const sentences: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'there is text after the end of the JSON',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  InvalidNumberFormat: 'a number is incomplete',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'a string has an invalid escape',
  InvalidEscapeCharacter: 'a string has an invalid escape',
  InvalidCharacter: 'a string has a control character',
};

/** Of several members with the same key the last one counts, as everywhere. */
function toValue(node: Node): Value {
  if (node.type === 'array') return (node.children ?? []).map(toValue);
  if (node.type !== 'object') return node.value;
  return createFields(membersOf(node).map((member) => [keyOf(member), toValue(valueNode(member))]));
}

const membersOf = (object: Node | undefined): readonly Node[] => object?.children ?? [];
const keyOf = (member: Node): string => member.children?.[0]?.value;
const valueNode = (member: Node): Node => member.children?.[1] as Node; // true: a text without errors has no member without
const endOf = ({ offset, length }: Node): number => offset + length;

const findMember = (object: Node, key: string): Node | undefined =>
  membersOf(object).findLast((member) => keyOf(member) === key);

/** The object that holds the entry. */
function findParent(root: Node | undefined, keys: readonly string[]): Node | undefined {
  let object = root;
  for (const key of keys.slice(0, -1)) {
    const member = object && findMember(object, key);
    object = member && valueNode(member);
  }
  return object;
}

function put(text: string, root: Node | undefined, keys: readonly string[], entry: Fields): string {
  if (root === undefined) return appendLines(text, render(keys, entry));
  let object = root;
  for (const [index, key] of keys.entries()) {
    const member = findMember(object, key);
    const rest = keys.slice(index + 1);
    if (member === undefined) return applyEdits(text, insertion(text, root, object, key, nest(rest, entry)));
    if (rest.length === 0) return applyEdits(text, [replacement(text, root, member, entry)]);
    object = valueNode(member);
  }
  return text;
}

function remove(text: string, object: Node | undefined, keys: readonly string[]): string {
  const member = object && findMember(object, keys.at(-1) ?? '');
  return object && member ? applyEdits(text, removal(text, object, member)) : text;
}

function render(keys: readonly string[], entry: Fields): string {
  return JSON.stringify(nest(keys, entry), null, 2);
}

function replacement(text: string, root: Node, member: Node, entry: Fields): TextEdit {
  const value = valueNode(member);
  const [start, end] = [value.offset, endOf(value)];
  const before = text.slice(start, end);
  const style = { ...styleOf(text, root), isCompact: !before.includes('\n') && before !== '{}' };
  return { start, end, text: serialize(entry, indentAt(text, member.offset), style) };
}

function insertion(text: string, root: Node, object: Node, key: string, value: Value): readonly TextEdit[] {
  const style = styleOf(text, root);
  const members = membersOf(object);
  const [first, last] = [members[0], members.at(-1)];
  const isInline = first === undefined ? style.isCompact : !text.slice(object.offset, first.offset).includes('\n');
  const indent = first && !isInline ? indentAt(text, first.offset) : indentAt(text, object.offset) + style.unit;
  const lastComma = last && followingOf(text, endOf(last)).comma;
  const shown = serialize(value, indent, { ...style, isCompact: isInline });
  const member = `${JSON.stringify(key)}${style.colon}${shown}${lastComma === undefined ? '' : ','}`;
  // What stands between the last value, or its comma, and the closing brace may be comments.
  const from = last === undefined ? object.offset + 1 : lastComma === undefined ? endOf(last) : lastComma + 1;
  const close = endOf(object) - 1;
  const at = from + text.slice(from, close).trimEnd().length;
  const comma = last && lastComma === undefined ? [{ start: from, end: from, text: ',' }] : [];
  // A line comment would swallow what follows it.
  if (isInline && !followingOf(text, from).isLineComment) {
    const gap = last && style.colon.endsWith(' ') ? ' ' : '';
    return [{ start: at, end: at, text: gap + member }, ...comma];
  }
  const hasLine = text.slice(at, close).includes('\n');
  const after = hasLine ? '' : style.eol + indentAt(text, object.offset);
  return [{ start: at, end: hasLine ? at : close, text: `${style.eol}${indent}${member}${after}` }, ...comma];
}

interface Following {
  /** Where the next comma is, if nothing but blanks and comments stands before it. */
  readonly comma: number | undefined;
  /** The last comment before the next word takes all of its line. */
  readonly isLineComment: boolean;
}

/** Not one expression: for a file of a million comments that would need a stack of a million steps. */
function followingOf(text: string, at: number): Following {
  const scanner = createScanner(text);
  scanner.setPosition(at);
  let lastComment: number | undefined;
  for (;;) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    const sign = text[start] ?? '';
    if (sign === '/') lastComment = start;
    else if (!/\s/.test(sign)) {
      const isLineComment = lastComment !== undefined && text.startsWith('//', lastComment);
      return { comma: sign === ',' ? start : undefined, isLineComment };
    }
  }
}

function removal(text: string, object: Node, member: Node): readonly TextEdit[] {
  const members = membersOf(object);
  const index = members.indexOf(member);
  const before = members[index - 1];
  const ownComma = followingOf(text, endOf(member)).comma;
  const end = ownComma === undefined ? endOf(member) : ownComma + 1;
  const start = text.slice(0, member.offset).trimEnd().length;
  // Only blanks are left: an empty object, as most people write it.
  const [first, close] = [object.offset + 1, endOf(object) - 1];
  const inner = text.slice(first, start) + text.slice(end, close);
  if (members.length === 1 && inner.trim() === '') return [{ start: first, end: close, text: '' }];
  const own = { start: ownStart(text, start, member.offset, end), end, text: '' };
  const isLast = index === members.length - 1;
  const comma = before && followingOf(text, endOf(before)).comma;
  if (!isLast || ownComma !== undefined || comma === undefined) return [own];
  return comma + 1 === own.start ? [{ ...own, start: comma }] : [{ start: comma, end: comma + 1, text: '' }, own];
}

/** With its line, if nothing else stands on it. A newline above it may end a comment: then it must stay. */
function ownStart(text: string, wordEnd: number, start: number, end: number): number {
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

function styleOf(text: string, root: Node): Style {
  const first = membersOf(root)[0];
  const onOwnLine = first !== undefined && text.slice(root.offset, first.offset).includes('\n');
  const keyEnd = first?.children?.[0] && endOf(first.children[0]);
  return {
    eol: lineEnding(text),
    unit: (onOwnLine && indentAt(text, first.offset)) || '  ',
    colon: keyEnd !== undefined && /^:\S/.test(text.slice(keyEnd, keyEnd + 2)) ? ':' : ': ',
    isCompact: first !== undefined && !text.slice(root.offset, endOf(root)).includes('\n'),
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
