// The full frontmatter reader: YAML 1.2 core within limits that a hostile block cannot exceed. The only file that imports `yaml`.
import {
  type Alias,
  Composer,
  type CST,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml';
import { toOneLine } from '../text/one-line.ts';
import type { FrontmatterResult } from './frontmatter.ts';

/** JSON values only, null-prototype objects, aliases expanded. Never throws; no custom tags, no merge keys. */
export const readYamlFrontmatter = (block: string): FrontmatterResult => {
  const reading: Reading = { refusal: undefined, targets: new Map(), open: new Set(), aliases: 0, weight: 0 };
  const contents = composeContents(block, reading);
  const fields = readTopLevel(contents, reading);
  if (reading.refusal === undefined) return { fields };
  const { error, offset } = reading.refusal;
  return offset === undefined ? { error } : { error, line: lineAt(block, offset) };
};

/** What is known while one block is read. The first refusal ends the reading; nothing is thrown. */
interface Reading {
  refusal: { readonly error: string; readonly offset: number | undefined } | undefined;
  /** What each alias stands for. */
  targets: ReadonlyMap<Alias, Node>;
  /** Nodes that are being converted: an alias to one of them is a circle. */
  readonly open: Set<Node>;
  aliases: number;
  /** Nodes and characters of the result so far. */
  weight: number;
}

const MAX_DEPTH = 32;
const MAX_ALIASES = 50;
/** Lexical tokens. The library takes 2–4 µs for each; a block of 1,000 fields has about 6,000. */
const MAX_TOKENS = 10_000;
/** A block of 64 KB without aliases cannot reach this: it bounds what the aliases can blow up. */
const MAX_WEIGHT = 262_144;
/** The parser holds one entry per open collection, one for the document and some for what it is reading. */
const MAX_PARSER_STACK = MAX_DEPTH + 4;
const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep`;

const refuse = (reading: Reading, error: string, offset?: number): undefined => {
  reading.refusal ??= { error, offset };
  return undefined;
};

const lineAt = (block: string, offset: number): number => {
  let line = 0;
  // What is missing is missed at the very end: that is the last line with text, not the one below it.
  const last = Math.min(offset, block.trimEnd().length);
  for (let at = block.indexOf('\n'); at >= 0 && at < last; at = block.indexOf('\n', at + 1)) line += 1;
  return line;
};

const composeContents = (block: string, reading: Reading): Node | undefined => {
  try {
    const tokens = tokenise(block, reading);
    return tokens && compose(tokens, block.length, reading);
  } catch (cause) {
    // One file that finds a fault in the library must not end a scan of thousands.
    return refuse(reading, `the YAML library failed (${toOneLine(String(cause), 120)})`);
  }
};

// The composer recurses, and a regular expression compiled on an exhausted stack aborts the whole process (30,000 `{`
// do it, and no catch helps). The parser before it does not recurse, so depth and size are checked there.
const tokenise = (block: string, reading: Reading): CST.Token[] | undefined => {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(block)) {
    count += 1;
    if (count > MAX_TOKENS) return refuse(reading, 'it has too many parts', parser.offset);
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_PARSER_STACK) return refuse(reading, TOO_DEEP, parser.offset);
  }
  for (const token of parser.end()) tokens.push(token);
  const directive = tokens.find((token) => token.type === 'directive');
  // `%YAML 1.1` could bring back merge keys and `yes` for true.
  return directive
    ? refuse(reading, 'it has a YAML directive (a line that starts with `%`)', directive.offset)
    : tokens;
};

const compose = (tokens: readonly CST.Token[], length: number, reading: Reading): Node | undefined => {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    // The library's own check for duplicates is quadratic: readMap looks for them instead.
    uniqueKeys: false,
  });
  const [document, second] = composer.compose(tokens, true, length);
  if (document === undefined) return undefined;
  // Unresolved tags are mere warnings to the library.
  const first = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])[0];
  if (first !== undefined) return refuse(reading, SENTENCES[first.code], first.pos[0]);
  if (second !== undefined) return refuse(reading, SENTENCES.MULTIPLE_DOCS, second.range[0]);
  reading.targets = resolveAliases(document);
  return document.contents ?? undefined;
};

/** An alias means the last node before it that bears its anchor. */
const resolveAliases = (document: Parameters<typeof visit>[0]): ReadonlyMap<Alias, Node> => {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_key, alias) => {
      const target = anchors.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
    },
  });
  return targets;
};

type Fields = Record<string, unknown>;

const readTopLevel = (contents: Node | undefined, reading: Reading): Fields => {
  if (contents !== undefined && isMap(contents)) return readMap(contents, reading, 1);
  // Nothing but comments is a map without fields; the caller knows what is missing in it.
  const isNothing = contents === undefined || (isScalar(contents) && contents.value === null);
  if (!isNothing) refuse(reading, 'it is not made of `key: value` lines', contents.range?.[0]);
  return Object.create(null) as Fields;
};

const readMap = (map: YAMLMap, reading: Reading, depth: number): Fields => {
  const fields = Object.create(null) as Fields;
  for (const pair of map.items) {
    const key = readKey(pair.key as Node | null, reading);
    if (key === undefined) break;
    const offset = (pair.key as Node | null)?.range?.[0];
    if (key in fields) refuse(reading, `the field "${toOneLine(key, 60)}" is there twice`, offset);
    fields[key] = readNode(pair.value as Node | null, reading, depth + 1);
    if (!carry(reading, key.length, offset)) break;
  }
  return fields;
};

/** A key as written (`1.0`, `null`): JSON knows no other keys than texts. */
const readKey = (node: Node | null, reading: Reading): string | undefined => {
  if (node === null) return '';
  const scalar = isAlias(node) ? reading.targets.get(node) : node;
  if (isScalar(scalar)) return scalar.source ?? String(scalar.value ?? '');
  return refuse(reading, 'a key is not a text', node.range?.[0]);
};

const readNode = (node: Node | null, reading: Reading, depth: number): unknown => {
  if (node === null || reading.refusal !== undefined) return null;
  const offset = node.range?.[0];
  if (depth > MAX_DEPTH) return refuse(reading, TOO_DEEP, offset);
  if (isAlias(node)) return readAlias(node, reading, depth);
  if (isScalar(node)) {
    const value = jsonScalar(node.value, node.source);
    carry(reading, typeof value === 'string' ? value.length : 0, offset);
    return value;
  }
  if (reading.open.has(node)) return refuse(reading, 'an alias stands inside of what it refers to', offset);
  reading.open.add(node);
  const value = isMap(node) ? readMap(node, reading, depth) : readItems(node, reading, depth);
  reading.open.delete(node);
  return value;
};

const readItems = (node: Node, reading: Reading, depth: number): unknown[] => {
  const items: unknown[] = [];
  for (const item of isSeq(node) ? node.items : []) {
    items.push(readNode(item as Node | null, reading, depth + 1));
    if (!carry(reading, 0, node.range?.[0])) break;
  }
  return items;
};

// An alias is expanded, not shared: what is counted here is what a JSON text of the fields will hold.
const readAlias = (alias: Alias, reading: Reading, depth: number): unknown => {
  const offset = alias.range?.[0];
  const target = reading.targets.get(alias);
  if (target === undefined)
    return refuse(reading, `no anchor "&${toOneLine(alias.source, 60)}" comes before its alias`, offset);
  reading.aliases += 1;
  if (reading.aliases > MAX_ALIASES) return refuse(reading, `it uses more than ${MAX_ALIASES} aliases`, offset);
  return readNode(target, reading, depth);
};

/** Adds one node of so many characters to the result. False once reading must stop. */
const carry = (reading: Reading, characters: number, offset: number | undefined): boolean => {
  reading.weight += 1 + characters;
  if (reading.weight > MAX_WEIGHT) refuse(reading, 'its aliases make it too large', offset);
  return reading.refusal === undefined;
};

// JSON has no infinity and no NaN. The text as written loses nothing; refusing would cost the whole skill for a field
// that nothing here reads.
const jsonScalar = (value: unknown, source: string | undefined): string | number | boolean | null => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : (source ?? String(value));
};

/** The library's messages quote source text and run over several lines; these do not. */
const SENTENCES = {
  ALIAS_PROPS: 'an alias has an anchor or a tag of its own',
  BAD_ALIAS: 'a value that starts with `*` is not a valid alias',
  BAD_COLLECTION_TYPE: 'a tag does not fit its value',
  BAD_DIRECTIVE: 'it has a bad YAML directive',
  BAD_DQ_ESCAPE: 'a text in double quotes has a bad `\\` escape',
  BAD_INDENT: 'a line is not indented like its neighbours',
  BAD_PROP_ORDER: 'an anchor or a tag is in the wrong place',
  BAD_SCALAR_START: 'a value starts with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value has an unquoted ": "',
  BLOCK_IN_FLOW: 'a block value stands inside brackets',
  DUPLICATE_KEY: 'a field is there twice',
  IMPOSSIBLE: 'it is not valid YAML',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MISSING_CHAR: 'a closing quote, a bracket, a comma or a colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a line has no `key:`, or a value has an unquoted ": "',
  MULTIPLE_ANCHORS: 'a value has two anchors',
  MULTIPLE_DOCS: 'it holds more than one YAML document',
  MULTIPLE_TAGS: 'a value has two tags',
  NON_STRING_KEY: 'a key is not a text',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
  TAB_AS_INDENT: 'a line is indented with a tab; YAML wants spaces',
  TAG_RESOLVE_FAILED: 'a value has a tag (`!…`) that is not plain YAML',
  UNEXPECTED_TOKEN: 'a character stands where YAML does not expect it',
} satisfies Record<ErrorCode, string>;
