// The pages of the documentation and their fenced blocks, as values.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DocBlock {
  readonly page: string;
  /** Of its opening fence. */
  readonly line: number;
  /** What stands behind the opening fence; empty for a bare one. */
  readonly language: string;
  readonly text: string;
  /** `docs/cli.md:68`, for titles of tests. */
  readonly place: string;
}

export const readPage = (page: string): string => readFileSync(page, 'utf8');

/** Everything that people read, the READMEs of the examples included. */
export function findPages(): readonly string[] {
  const top = readdirSync('.').filter((name) => name.endsWith('.md'));
  const docs = below('docs').filter((path) => path.endsWith('.md'));
  const examples = readdirSync('examples').map((name) => join('examples', name, 'README.md'));
  return [...top, ...docs, ...examples.filter((path) => existsSync(path))].sort();
}

export const readAllBlocks = (): readonly DocBlock[] => findPages().flatMap((page) => blocksOf(page, readPage(page)));

/** A fence may be indented, as below a list item, and ends at one that is as long. */
export function blocksOf(page: string, text: string): readonly DocBlock[] {
  const blocks = text.matchAll(/^([ \t]*)(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^[ \t]*\2[`~]*[ \t]*$/gm);
  return [...blocks].map((match) => {
    const [, indent = '', , language = '', inside = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    const own = indent === '' ? inside : inside.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { page, line, language: language.trim(), text: own, place: `${page}:${line}` };
  });
}

/** The text without its fenced blocks. */
export const proseOf = (text: string): string => text.replace(/^[ \t]*(`{3,})[\s\S]*?^[ \t]*\1[ \t]*$/gm, '');

function below(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
}
