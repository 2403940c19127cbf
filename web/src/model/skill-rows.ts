// Document and typed skills as rows of one list. Pure.

import { pathTo } from '../browser/router.ts';
import type { DefinitionList, DocumentList, DocumentSummary, SearchResults } from './shapes.ts';

export interface SkillRow {
  readonly key: string;
  readonly kind: 'document' | 'typed';
  /** Of a document without one: its folder's. */
  readonly name: string;
  readonly isUnnamed: boolean;
  readonly description: string;
  readonly address: string;
  /** Of a document: the root that it is in. Empty where a search does not say. */
  readonly source: string;
  /** Of a typed skill. */
  readonly category?: string;
  readonly availability: DocumentSummary['availability'] | undefined;
  readonly problems: number;
  /** `undefined`: not inspected yet, or never. */
  readonly findings: number | undefined;
  /** Of a search: the words that were found, and where. */
  readonly why?: string;
}

/** Pages that were read one after the other may overlap. */
export function distinctByUri(documents: readonly DocumentSummary[]): DocumentSummary[] {
  const byUri = new Map<string, DocumentSummary>();
  for (const document of documents) if (!byUri.has(document.uri)) byUri.set(document.uri, document);
  return [...byUri.values()];
}

/** How many suspicious places a document has, by its URI. Counted later than the rest: it takes the server a while. */
export type Findings = ReadonlyMap<string, number>;

export const findingsIn = (list: DocumentList | undefined): Findings =>
  new Map((list?.documents ?? []).map(({ uri, findings = 0 }) => [uri, findings]));

/** Something about it is for a reader to look at. */
export const isTroubled = ({ availability, problems, findings = 0 }: SkillRow): boolean =>
  availability === 'fallback' || problems > 0 || findings > 0;

/** The second skill of a name answers to its URI only. */
export function documentRows(documents: readonly DocumentSummary[], findings: Findings): readonly SkillRow[] {
  const seen = new Set<string>();
  return documents.map(({ name, folder = '', uri, findings: own, ...document }) => {
    const key = name?.trim().toLowerCase();
    const isFirst = key !== undefined && !seen.has(key);
    if (key !== undefined) seen.add(key);
    return {
      ...document,
      key: uri,
      kind: 'document',
      name: name ?? folder,
      isUnnamed: name === null,
      address: pathTo('documents', isFirst ? (name ?? uri) : uri),
      findings: own ?? findings.get(uri),
    };
  });
}

export const typedRows = ({ skills }: DefinitionList): readonly SkillRow[] =>
  skills.map(({ name, description, category }) => typedRow(name, description, category));

const typedRow = (name: string, description: string, category?: string): SkillRow => ({
  key: `typed ${name}`,
  kind: 'typed',
  name,
  isUnnamed: false,
  description,
  address: pathTo('typed', name),
  source: '',
  ...(category !== undefined && { category }),
  // One that is refused is not listed.
  availability: 'available',
  problems: 0,
  findings: undefined,
});

/** Both kinds in name order. While there are more documents, what comes after the last one waits for them. */
export function mergeByName(
  documents: readonly SkillRow[],
  typed: readonly SkillRow[],
  hasMore: boolean,
): readonly SkillRow[] {
  const waiting = typed.toSorted((one, other) => (nameKey(one) < nameKey(other) ? -1 : 1));
  const merged: SkillRow[] = [];
  for (const document of documents) {
    while (waiting[0] !== undefined && nameKey(waiting[0]) < nameKey(document))
      merged.push(waiting.shift() as SkillRow);
    merged.push(document);
  }
  return hasMore ? merged : [...merged, ...waiting];
}

const nameKey = ({ name }: SkillRow): string => name.trim().toLowerCase();

/** In the order of the search; what it does not say is taken from the lists. */
export function foundRows({ results }: SearchResults, known: readonly SkillRow[]): readonly SkillRow[] {
  const byKey = new Map(known.map((row) => [row.key, row]));
  return results.map(({ kind, name, description, uri, why }) => {
    if (kind === 'typed') return { ...(byKey.get(`typed ${name}`) ?? typedRow(name, description)), why };
    const key = uri ?? name;
    const row = byKey.get(key);
    const address = pathTo('documents', key);
    if (row !== undefined) return { ...row, address, why };
    const unknown = { source: '', availability: undefined, problems: 0, findings: undefined, isUnnamed: false };
    return { key, kind, name, description, address, ...unknown, why };
  });
}
