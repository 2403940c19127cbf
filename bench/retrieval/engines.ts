// The engines that are compared. Each is built once from all documents and then asked.
import MiniSearch from 'minisearch';
import { SearchIndex } from '../../src/search/search-index.ts';
import { REQUEST_WORDS, STOP_WORDS } from '../../src/search/stop-words.ts';
import type { SkillDocument } from './documents.ts';
import { deepest } from './metrics.ts';

/** A query → names of skills, best first. */
export type Engine = (query: string) => readonly string[];

export const engines = {
  'MiniSearch, name + description': (documents) => miniSearch(documents, ['name', 'description']),
  'MiniSearch, name + description + body': (documents) => miniSearch(documents, ['name', 'description', 'body']),
  'MiniSearch, all three, our stop words': (documents) =>
    miniSearch(documents, ['name', 'description', 'body'], { processTerm: withoutStopWords }),
  'MiniSearch, all three weighted, our stop words': (documents) =>
    miniSearch(documents, ['name', 'description', 'body'], {
      processTerm: withoutStopWords,
      searchOptions: { boost: { name: 4, description: 2 } },
    }),
  Repertoire: repertoire,
} satisfies Record<string, (documents: readonly SkillDocument[]) => Engine>;

export type EngineName = keyof typeof engines;

type MiniSearchOptions = Partial<ConstructorParameters<typeof MiniSearch<SkillDocument>>[0]>;

/** Without `options` its own defaults throughout: that is what "plain" means. */
function miniSearch(documents: readonly SkillDocument[], fields: string[], options: MiniSearchOptions = {}): Engine {
  const index = new MiniSearch<SkillDocument>({ idField: 'name', fields, ...options });
  index.addAll(documents);
  return (query) =>
    index
      .search(query)
      .slice(0, deepest)
      .map(({ id }) => String(id));
}

/** So that nobody takes the lack of a stop list for the whole difference. */
function withoutStopWords(term: string): string | undefined {
  const word = term.toLowerCase();
  return STOP_WORDS.has(word) || REQUEST_WORDS.has(word) ? undefined : word;
}

function repertoire(documents: readonly SkillDocument[]): Engine {
  const index = new SearchIndex();
  for (const document of documents) index.put({ id: document.name, kind: 'document', ...document });
  return (query) => index.search(query, deepest).map(({ id }) => id);
}
