// A SKILL.md as a value: text in, document or issues out. Pure: never touches the disk, never throws, never executes.

import { toOneLine } from '../text/one-line.ts';
import { EXAMPLE_NAME, type FrontmatterReader, findFrontmatter } from './frontmatter.ts';
import { explainBlock, findMisspelt } from './frontmatter-hints.ts';
import type { Issue } from './issue.ts';
import { nameIssues } from './names.ts';
import { readPlainFrontmatter } from './plain-frontmatter.ts';
import { repairFrontmatter } from './repair.ts';

export interface SkillDocument {
  /** As written, trimmed. Any script, any case; validated by validate.ts. */
  readonly name: string;
  /** As written, trimmed. */
  readonly description: string;
  /** Every field as written, as JSON values; null-prototype objects all the way down. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** True when the frontmatter only parsed after an obvious repair: served by the tools, kept out of skills/list. */
  readonly repaired: boolean;
  /** Index in the text where the Markdown body starts. */
  readonly bodyOffset: number;
}

export interface ParsedDocument {
  /** Absent when the text is not a named skill; then, and only then, `issues` holds an error. */
  readonly document: SkillDocument | undefined;
  readonly issues: readonly Issue[];
}

/** `undefined`: this text needs the YAML reader, and none was given. */
export const parseSkillDocument = (text: string, yaml: FrontmatterReader | undefined): ParsedDocument | undefined => {
  const found = findFrontmatter(text);
  if (!found.ok) return { document: undefined, issues: [found.failure] };
  const { block, bodyOffset } = found.value;
  const read = readFields(block, yaml);
  if (read?.fields === undefined) return read && { document: undefined, issues: read.issues };
  const name = readRequired('name', read.fields, block);
  const description = readRequired('description', read.fields, block);
  const issues = [...read.issues, ...name.issues, ...description.issues];
  if (name.text !== undefined) issues.push(...nameIssues(name.text).map((issue) => withLine(issue, 'name', block)));
  if (name.text === undefined || description.text === undefined || issues.some(isError)) {
    return { document: undefined, issues };
  }
  const repaired = read.issues.length > 0;
  const document = { name: name.text, description: description.text, frontmatter: read.fields, repaired, bodyOffset };
  return { document, issues };
};

/** Of the Markdown: what comes later is no beginning. */
const MOST_READ = 8_000;
const MOST_WORDS = 200;

/** What a text without a description is about: its first heading or sentence, on one line, cut at 200 characters (T2). */
export const firstWords = (text: string): string => {
  const lines = markdownOf(text)
    .slice(0, MOST_READ)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/^ *(```|~~~)[\s\S]*?(?:^ *\1.*$|(?![\s\S]))/gm, '')
    .split(/\r?\n/)
    .map((line) => line.trim());
  const start = lines.findIndex((line) => line !== '' && !/^([-*_=+])\1{2,}$/.test(line));
  const [first = '', ...rest] = start < 0 ? [] : lines.slice(start);
  const heading = HEADING.exec(first.slice(0, 1_000))?.[1];
  if (heading !== undefined) return plainWords(heading);
  const end = rest.findIndex(
    (line) => line === '' || LIST_ITEM.test(line) || HEADING.test(line) || UNDERLINE.test(line),
  );
  const paragraph = [first, ...(end < 0 ? rest : rest.slice(0, end))].join(' ').replace(LIST_ITEM, '');
  if (end >= 0 && UNDERLINE.test(rest[end] ?? '')) return plainWords(paragraph);
  return plainWords(/^.+?(?:[.!?](?= |$)|[。！？])/u.exec(paragraph)?.[0] ?? paragraph);
};

const HEADING = /^#{1,6}[ \t]+(.*?)[ \t]*#*$/;
const UNDERLINE = /^(?:=+|-+)$/;
const LIST_ITEM = /^(?:[>*+-]|\d{1,9}[.)])[ \t]+/;

/** A link or a picture is what it says. */
const plainWords = (markdown: string): string =>
  toOneLine(markdown.slice(0, 1_000).replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1'), MOST_WORDS);

/** Without the frontmatter; one that does not end ends where the first heading or empty line is. */
const markdownOf = (text: string): string => {
  const found = findFrontmatter(text);
  if (found.ok) return text.slice(found.value.bodyOffset);
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('---', start)) return text.slice(start);
  const end = text.slice(start, start + MOST_READ).search(/^(?:#{1,6} |\r?$)/m);
  return end < 0 ? '' : text.slice(start + end);
};

/** The first line of the block is the second of the file. */
const FIRST_LINE = 2;

const isError = (issue: Issue): boolean => issue.severity === 'error';

interface FieldsRead {
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[];
}

const readFields = (block: string, yaml: FrontmatterReader | undefined): FieldsRead | undefined => {
  const read = readPlainFrontmatter(block) ?? yaml?.(block);
  if (read === undefined) return undefined;
  if ('fields' in read) return { fields: read.fields, issues: [] };
  const repair = repairFrontmatter(block);
  const again = repair && yaml?.(repair.block);
  if (repair && again && 'fields' in again) return { fields: again.fields, issues: repair.issues };
  return { fields: undefined, issues: [invalid(read, block)] };
};

const invalid = ({ error, line }: { readonly error: string; readonly line?: number }, block: string): Issue => {
  const hint = line === undefined ? undefined : explainBlock(block, line);
  const at = hint?.line ?? line;
  return {
    rule: 'frontmatter-invalid',
    severity: 'error',
    message: `Cannot read the frontmatter: ${toOneLine(hint?.error ?? error, 300)}`,
    fix: hint?.fix ?? 'Write `key: value` lines of plain YAML, and put values with special characters in quotes',
    ...(at === undefined ? {} : { line: at + FIRST_LINE }),
  };
};

type RequiredField = 'name' | 'description';

interface RequiredText {
  readonly text: string | undefined;
  readonly issues: readonly Issue[];
}

const readRequired = (key: RequiredField, fields: Readonly<Record<string, unknown>>, block: string): RequiredText => {
  const value = fields[key];
  if (typeof value === 'string' && value.trim() !== '') return { text: value.trim(), issues: [] };
  if (value === undefined || value === null || typeof value === 'string') {
    return { text: undefined, issues: [value === undefined ? absent(key, fields, block) : empty(key, block)] };
  }
  return typeof value === 'object' ? notText(key, block) : scalarAsText(key, String(value), block);
};

const EXAMPLES: Readonly<Record<RequiredField, string>> = {
  name: `name: ${EXAMPLE_NAME}`,
  description: 'description: What it does and when to use it',
};

const absent = (key: RequiredField, fields: Readonly<Record<string, unknown>>, block: string): Issue => {
  const misspelt = findMisspelt(key, fields);
  const line = misspelt === undefined ? undefined : lineOf(misspelt, block);
  const issue: Issue = {
    rule: `${key}-missing`,
    severity: 'error',
    message: `Cannot serve the skill by name: its frontmatter has no "${key}"`,
    fix: `Add a line between the \`---\` lines, for example \`${EXAMPLES[key]}\``,
  };
  if (misspelt === undefined || line === undefined) return issue;
  const found = `line ${line} has "${toOneLine(misspelt, 60)}"`;
  return {
    ...issue,
    message: `${issue.message}, but ${found}`,
    fix: `Did you mean "${key}"? Correct line ${line}`,
    line,
  };
};

const empty = (key: RequiredField, block: string): Issue => {
  const issue: Issue = {
    rule: `${key}-missing`,
    severity: 'error',
    message: `Cannot serve the skill by name: its frontmatter has an empty "${key}"`,
    fix: `Fill in the line, for example \`${EXAMPLES[key]}\``,
  };
  return withLine(issue, key, block);
};

const notText = (key: RequiredField, block: string): RequiredText => {
  const issue: Issue = {
    rule: `${key}-not-text`,
    severity: 'error',
    message: `Cannot serve the skill by name: its "${key}" is a list or a map, not a text`,
    fix: `Write a text, in quotes where it starts with a bracket, for example \`${EXAMPLES[key]}\``,
  };
  return { text: undefined, issues: [withLine(issue, key, block)] };
};

// `name: 123` is a number in YAML, but a name to its author: served by the tools under what is written. Hosts of
// the Skills extension want a text, so the warning keeps it out of skills/list.
const scalarAsText = (key: RequiredField, value: string, block: string): RequiredText => {
  const text = new RegExp(`^${key}:[ \\t]+([-+.\\w]+)[ \\t]*(?:#.*)?\\r?$`, 'm').exec(block)?.[1] ?? value;
  const issue: Issue = {
    rule: `${key}-not-text`,
    severity: 'warning',
    message: `Cannot serve the skill to every host: its "${key}" is a number or a truth value, not a text`,
    fix: `Put it in quotes: ${key}: "${toOneLine(text, 100)}"`,
  };
  return { text, issues: [withLine(issue, key, block)] };
};

const withLine = (issue: Issue, key: RequiredField, block: string): Issue => {
  const line = lineOf(key, block);
  return line === undefined ? issue : { ...issue, line };
};

/** In the file. */
const lineOf = (key: string, block: string): number | undefined => {
  const index = block.split('\n').findIndex((line) => line.startsWith(`${key}:`));
  return index < 0 ? undefined : index + FIRST_LINE;
};
