// TOML: one entry as a table of its own. Only the lines of that entry are written or taken out; all others stay.
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { fail, ok, type Result } from '../../values/result.ts';
import type { ConfigFormat, OpenText } from './config-format.ts';
import { type Fields, isFields, Spelled, type Value } from './fields.ts';
import { applyEdits, lineEnding, lineStart, nextLine, type TextEdit } from './text-edits.ts';

export const tomlFormat: ConfigFormat = { open, render };

type Statement = AST.TOMLKeyValue | AST.TOMLTable;

function open(text: string): Result<OpenText, string> {
  try {
    const statements = parseTOML(text, { tomlVersion: '1.0' }).body[0].body;
    return ok({
      fields: fieldsOf(statements, text),
      put: (keys, entry) => put(text, linesOf(text, statements, keys), keys, entry),
      remove: (keys) =>
        applyEdits(
          text,
          linesOf(text, statements, keys).map((lines) => withBlankAbove(text, lines)),
        ),
    });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return fail(
      `line ${error.lineNumber}: ${error.message.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`,
    );
  }
}

/** Without a prototype, so that no key is special. */
type Table = Record<string | number, unknown>;

const newTable = (): Table => Object.create(null);

function fieldsOf(statements: readonly Statement[], text: string): Fields {
  const root = newTable();
  for (const statement of statements) {
    if (statement.type === 'TOMLKeyValue') addPair(root, statement, text);
    else addPairs(tableAt(root, statement.resolvedKey), statement.body, text);
  }
  return root as Fields; // true: only values of such a file were put in
}

function addPairs(table: Table, pairs: readonly AST.TOMLKeyValue[], text: string): Table {
  for (const pair of pairs) addPair(table, pair, text);
  return table;
}

function addPair(table: Table, { key, value }: AST.TOMLKeyValue, text: string): void {
  const keys = keysOf(key);
  tableAt(table, keys.slice(0, -1))[keys.at(-1) ?? ''] = toValue(value, text);
}

/** A number among the keys counts the tables of an array. */
function tableAt(root: Table, keys: readonly (string | number)[]): Table {
  let table = root;
  for (const [index, key] of keys.entries()) {
    table[key] ??= typeof keys[index + 1] === 'number' ? [] : newTable();
    table = table[key] as Table; // true: the parser refuses keys below a plain value
  }
  return table;
}

const keysOf = ({ keys }: AST.TOMLKey): readonly string[] =>
  keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));

const simpleNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

function toValue(node: AST.TOMLContentNode, text: string): unknown {
  if (node.type === 'TOMLArray') return node.elements.map((element) => toValue(element, text));
  if (node.type === 'TOMLInlineTable') return addPairs(newTable(), node.body, text);
  if (node.kind === 'string' || node.kind === 'boolean') return node.value;
  const spelling = text.slice(...node.range);
  return simpleNumber.test(spelling) ? Number(spelling) : new Spelled(spelling);
}

interface OwnLines extends TextEdit {
  readonly isTable: boolean;
}

/** The whole lines that make up the entry: each of its tables with its pairs, and single pairs in other tables. */
function linesOf(text: string, statements: readonly Statement[], keys: readonly string[]): readonly OwnLines[] {
  const isOwn = (found: readonly string[]) => keys.every((key, index) => found[index] === key);
  const linesFrom = ({ range: [start, end] }: Statement, isTable: boolean) => ({
    start: lineStart(text, start),
    end: nextLine(text, end),
    text: '',
    isTable,
  });
  return statements.flatMap((statement) => {
    const above = keysOf(statement.key);
    if (isOwn(above)) return [linesFrom(statement, statement.type === 'TOMLTable')];
    const pairs = statement.type === 'TOMLTable' ? statement.body : [];
    return pairs.filter(({ key }) => isOwn([...above, ...keysOf(key)])).map((pair) => linesFrom(pair, false));
  });
}

/** With a table goes the blank line above it. */
function withBlankAbove(text: string, lines: OwnLines): OwnLines {
  const blank = lines.isTable ? /(?:^|\n)(\r?\n)$/.exec(text.slice(0, lines.start))?.[1] : undefined;
  return { ...lines, start: lines.start - (blank?.length ?? 0) };
}

function put(text: string, [first, ...rest]: readonly OwnLines[], keys: readonly string[], entry: Fields): string {
  const eol = lineEnding(text);
  const rendered = render(keys, entry).replaceAll('\n', eol);
  const others = rest.map((lines) => withBlankAbove(text, lines));
  // In place, where it has a table of its own; a pair inside another table cannot become one there.
  if (first?.isTable) return applyEdits(text, [{ ...first, text: rendered + eol }, ...others]);
  const left = first ? applyEdits(text, [first, ...others]) : text;
  const gap = left === '' || left.endsWith(eol + eol) ? '' : left.endsWith('\n') ? eol : eol + eol;
  return `${left}${gap}${rendered}${eol}`;
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
