// TOML 1.0 → its values, and where each table header and each pair stands. Pure; strict about syntax and double keys.
import { fail, ok, type Result } from '../../values/result.ts';
import type { Fields, Value } from './fields.ts';
import { TomlFault, TomlReader } from './toml-reader.ts';

/** A table's header, or a pair of key and value. */
export interface TomlStatement {
  readonly kind: 'table' | 'pair';
  /** From the top of the file. */
  readonly keys: readonly string[];
  readonly start: number;
  /** Before blanks, comment and line end. */
  readonly end: number;
}

export interface TomlTree {
  readonly value: Fields;
  readonly statements: readonly TomlStatement[];
}

type Table = Record<string, Value>;

export function parseTomlTree(text: string): Result<TomlTree, string> {
  try {
    return ok(readTree(text));
  } catch (error) {
    if (!(error instanceof TomlFault)) throw error;
    return fail(`line ${text.slice(0, error.at).split('\n').length}: ${error.message}`);
  }
}

function readTree(text: string): TomlTree {
  const reader = new TomlReader(text);
  const value: Table = Object.create(null);
  const marks: Marks = { closed: new Set(), defined: new Set() };
  const statements: TomlStatement[] = [];
  let current = value;
  let prefix: readonly string[] = [];
  for (reader.skipLines(); !reader.isAtEnd; reader.skipLines()) {
    const start = reader.at;
    const header = reader.takeHeader();
    if (header) {
      prefix = header.keys;
      current = openTable(value, header, marks, start);
      statements.push({ kind: 'table', keys: prefix, start, end: reader.at });
    } else {
      const keys = reader.takeKeys();
      reader.takeSign('=');
      addPair(current, keys, reader.takeValue(), marks, start);
      statements.push({ kind: 'pair', keys: [...prefix, ...keys], start, end: reader.at });
    }
    reader.endLine();
  }
  return { value: value as Fields, statements };
}

/** Which tables may not be added to: inline ones and arrays written as values; and which have had their header. */
interface Marks {
  readonly closed: Set<unknown>;
  readonly defined: Set<unknown>;
}

interface Header {
  readonly keys: readonly string[];
  readonly isArray: boolean;
}

function openTable(root: Table, { keys, isArray }: Header, marks: Marks, at: number): Table {
  const parent = keys.slice(0, -1).reduce((table, key) => descend(table, key, marks, at), root);
  const last = keys.at(-1) ?? '';
  if (isArray) {
    parent[last] ??= [];
    const list = parent[last];
    if (!Array.isArray(list) || marks.closed.has(list)) throw new TomlFault(at, `"${last}" is there already`);
    const table: Table = Object.create(null);
    list.push(table);
    return table;
  }
  const table = Array.isArray(parent[last]) ? undefined : descend(parent, last, marks, at);
  if (table === undefined || marks.defined.has(table)) throw new TomlFault(at, `table "${last}" is there twice`);
  marks.defined.add(table);
  return table;
}

function addPair(table: Table, keys: readonly string[], value: Value, marks: Marks, at: number): void {
  const parent = keys.slice(0, -1).reduce((inner, key) => {
    const next = descend(inner, key, marks, at);
    marks.defined.add(next); // Dotted keys define a table: a header for it would be a second definition.
    return next;
  }, table);
  const last = keys.at(-1) ?? '';
  if (last in parent) throw new TomlFault(at, `"${last}" is there twice`);
  parent[last] = value;
  if (typeof value === 'object') marks.closed.add(value);
}

function descend(table: Table, key: string, { closed }: Marks, at: number): Table {
  table[key] ??= Object.create(null) as Fields;
  const found = table[key];
  const next = Array.isArray(found) && !closed.has(found) ? found.at(-1) : found;
  const isTable = typeof next === 'object' && next !== null && Object.getPrototypeOf(next) === null;
  if (!isTable || closed.has(next)) throw new TomlFault(at, `"${key}" is no table that can be added to`);
  return next as Table; // true: just seen to be one of our own
}
