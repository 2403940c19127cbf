// TOML: one entry as a table of its own. Only the lines of that entry are written or taken out; all others stay.
import { ok, type Result } from '../../values/result.ts';
import type { ConfigFormat } from './config-format.ts';
import { type Fields, isFields, Spelled, type Value } from './fields.ts';
import { applyEdits, lineEnding, lineStart, nextLine, type TextEdit } from './text-edits.ts';
import { parseTomlTree, type TomlStatement } from './toml-tree.ts';

export const tomlFormat: ConfigFormat = { parse, put, remove, render };

function parse(text: string): Result<Fields, string> {
  const tree = parseTomlTree(text);
  return tree.ok ? ok(tree.value.value) : tree;
}

function put(text: string, keys: readonly string[], entry: Fields): string {
  const eol = lineEnding(text);
  const rendered = render(keys, entry).replaceAll('\n', eol);
  const [first, ...rest] = linesOf(text, keys);
  const others = rest.map((lines) => withBlankAbove(text, lines));
  // In place, where it has a table of its own; a pair inside another table cannot become one there.
  if (first?.isTable) return applyEdits(text, [{ ...first, text: rendered + eol }, ...others]);
  const left = first ? applyEdits(text, [first, ...others]) : text;
  const gap = left === '' || left.endsWith(eol + eol) ? '' : left.endsWith('\n') ? eol : eol + eol;
  return `${left}${gap}${rendered}${eol}`;
}

function remove(text: string, keys: readonly string[]): string {
  return applyEdits(
    text,
    linesOf(text, keys).map((lines) => withBlankAbove(text, lines)),
  );
}

/** With a table goes the blank line above it. */
function withBlankAbove(text: string, lines: OwnLines): OwnLines {
  const blank = lines.isTable ? /(?:^|\n)(\r?\n)$/.exec(text.slice(0, lines.start))?.[1] : undefined;
  return { ...lines, start: lines.start - (blank?.length ?? 0) };
}

interface OwnLines extends TextEdit {
  readonly isTable: boolean;
}

/** The whole lines that make up the entry: from each of its headers to the last pair below it, and single pairs. */
function linesOf(text: string, keys: readonly string[]): readonly OwnLines[] {
  const tree = parseTomlTree(text);
  const statements = tree.ok ? tree.value.statements : [];
  const isOwn = (statement: TomlStatement) => keys.every((key, index) => statement.keys[index] === key);
  const found: OwnLines[] = [];
  let inOwnTable = false;
  for (const statement of statements) {
    const isTable = statement.kind === 'table';
    if (isTable) inOwnTable = isOwn(statement);
    const end = nextLine(text, statement.end);
    if (inOwnTable && !isTable)
      found.push({ ...(found.pop() as OwnLines), end }); // true: its header was pushed
    else if (isOwn(statement)) found.push({ start: lineStart(text, statement.start), end, text: '', isTable });
  }
  return found;
}

function render(keys: readonly string[], entry: Fields): string {
  return tableLines(keys, entry).join('\n');
}

/** Tables in it get a header of their own, as `codex mcp add` writes them. */
function tableLines(keys: readonly string[], entry: Fields): readonly string[] {
  const pairs = Object.entries(entry);
  const own = pairs.filter(([, value]) => !isTable(value));
  const tables = pairs.flatMap(([key, value]) => (isTable(value) ? ['', ...tableLines([...keys, key], value)] : []));
  return [
    `[${keys.map(toKey).join('.')}]`,
    ...own.map(([key, value]) => `${toKey(key)} = ${toToml(value)}`),
    ...tables,
  ];
}

const isTable = (value: Value): value is Fields => isFields(value) && Object.keys(value).length > 0;

const toKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : toToml(key));

function toToml(value: Value): string {
  if (value instanceof Spelled) return value.text;
  if (Array.isArray(value)) return `[${value.map(toToml).join(', ')}]`;
  if (isFields(value)) {
    const pairs = Object.entries(value).map(([key, inner]) => `${toKey(key)} = ${toToml(inner)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  // TOML's basic strings take JSON's escapes, but for the DEL character.
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}
