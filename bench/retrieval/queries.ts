// What people ask for, and which skills answer it; read from queries/*.txt and public/*.txt and split into two halves.
import { hashOf } from './hash.ts';
import { loadTextFiles } from './text-files.ts';

/** Of our own set of skills, of the public one, and of the authors' one. */
export const queryKinds = ['short', 'full'] as const;
export const publicKinds = ['own words', 'keywords', 'request'] as const;
export const authorKinds = ['author'] as const;
export const halves = ['tune', 'held'] as const;

export type QueryKind = (typeof queryKinds | typeof publicKinds | typeof authorKinds)[number];
export type Half = (typeof halves)[number];

export interface Query {
  readonly id: string;
  readonly kind: QueryKind;
  readonly text: string;
  /** Names of the skills that answer it: one or two of ours, in public collections often more. */
  readonly relevant: readonly string[];
  readonly half: Half;
}

export const loadQueries = (): readonly Query[] =>
  loadTextFiles('queries').flatMap(({ name, text }) => (name === 'short.txt' ? parseShort(text) : parseFull(text)));

export const loadPublicQueries = (): readonly Query[] =>
  loadTextFiles('public').flatMap(({ name, text }) => publicReaders[name]?.(text) ?? []);

const publicReaders: Readonly<Record<string, (text: string) => readonly Query[]>> = {
  'own-words.txt': (text) => parseShort(text, 'own words'),
  'keywords.txt': (text) => parseShort(text, 'keywords'),
  'requests.txt': (text) => parseFull(text, 'request'),
};

/** One per line: `words => skill, skill`. The words are the id. */
export function parseShort(text: string, kind: QueryKind = 'short'): readonly Query[] {
  return text.split('\n').flatMap((line) => {
    const [words, skills] = line.split(' => ');
    if (words === undefined || skills === undefined || line.startsWith('#')) return [];
    return [createQuery(words.trim(), kind, words.trim(), skills)];
  });
}

/** Blocks: `== id: skill, skill`, then the request until the next block. */
export function parseFull(text: string, kind: QueryKind = 'full'): readonly Query[] {
  return text
    .split(/^== /m)
    .slice(1)
    .map((block) => {
      const end = block.indexOf('\n');
      const [id = '', skills = ''] = block.slice(0, end).split(': ');
      return createQuery(id, kind, block.slice(end).trim(), skills);
    });
}

/** Of our own set the first number that splits both kinds about equally. Chosen by counting queries, not by results. */
const saltOf = (kind: QueryKind): number => (kind === 'short' || kind === 'full' ? 4 : 7);

/** By the id alone, so that a new query leaves the others in their half. */
const halfOf = (id: string, kind: QueryKind): Half => (hashOf(`${saltOf(kind)} ${id}`) % 2 === 0 ? 'tune' : 'held');

const createQuery = (id: string, kind: QueryKind, text: string, skills: string): Query => ({
  id,
  kind,
  text,
  relevant: skills.split(',').map((name) => name.trim()),
  half: halfOf(id, kind),
});
