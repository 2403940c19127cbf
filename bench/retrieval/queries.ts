// What people ask for, and which skills answer it; read from queries/*.txt and split into two halves.
import { hashOf } from './hash.ts';
import { loadTextFiles } from './text-files.ts';

export const queryKinds = ['short', 'full'] as const;
export const halves = ['tune', 'held'] as const;

export type QueryKind = (typeof queryKinds)[number];
export type Half = (typeof halves)[number];

export interface Query {
  readonly id: string;
  readonly kind: QueryKind;
  readonly text: string;
  /** Names of the one or two skills that answer it. */
  readonly relevant: readonly string[];
  readonly half: Half;
}

export const loadQueries = (): readonly Query[] =>
  loadTextFiles('queries').flatMap(({ name, text }) => (name === 'short.txt' ? parseShort(text) : parseFull(text)));

/** One per line: `words => skill, skill`. The words are the id. */
export function parseShort(text: string): readonly Query[] {
  return text.split('\n').flatMap((line) => {
    const [words, skills] = line.split(' => ');
    if (words === undefined || skills === undefined || line.startsWith('#')) return [];
    return [createQuery(words.trim(), 'short', words.trim(), skills)];
  });
}

/** Blocks: `== id: skill, skill`, then the request until the next block. */
export function parseFull(text: string): readonly Query[] {
  return text
    .split(/^== /m)
    .slice(1)
    .map((block) => {
      const end = block.indexOf('\n');
      const [id = '', skills = ''] = block.slice(0, end).split(': ');
      return createQuery(id, 'full', block.slice(end).trim(), skills);
    });
}

/** The first number that splits both kinds about equally. Chosen by counting queries, not by results. */
const salt = 4;

/** By the id alone, so that a new query leaves the others in their half. */
const halfOf = (id: string): Half => (hashOf(`${salt} ${id}`) % 2 === 0 ? 'tune' : 'held');

const createQuery = (id: string, kind: QueryKind, text: string, skills: string): Query => ({
  id,
  kind,
  text,
  relevant: skills.split(',').map((name) => name.trim()),
  half: halfOf(id),
});
