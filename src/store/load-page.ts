// Loads as every store keeps and shows them: texts bounded, pages with an end.
import type { Load, LoadPage, LoadQuery } from '../repertoire/load-log.ts';
import { createCursor } from './cursor.ts';
import { LONGEST_PAGE } from './invocation-page.ts';
import type { LoadRow } from './load-rows.ts';

const LONGEST_TEXT = 256;

/** Clients name themselves: neither the length nor the characters can be trusted. */
export function keptLoad({ skillName, digest, client, surface, loadedAt }: Load): Load {
  return { skillName: kept(skillName), digest: kept(digest), client: kept(client), surface: kept(surface), loadedAt };
}

export const checkedLoadQuery = (query: LoadQuery): LoadQuery => ({
  ...query,
  ...(query.skill !== undefined && { skill: kept(query.skill) }),
  ...(query.client !== undefined && { client: kept(query.client) }),
  limit: Math.min(Math.max(1, Math.trunc(query.limit)), LONGEST_PAGE),
});

/** `found`: one more than the limit if there are more. */
export function loadPageOf(found: readonly LoadRow[], limit: number): LoadPage {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isLastPage = found.length <= limit || last === undefined;
  return {
    loads: rows.map(({ load }) => load),
    nextCursor: isLastPage ? undefined : createCursor({ at: last.load.loadedAt, id: last.id }),
  };
}

const kept = (text: string): string => text.slice(0, LONGEST_TEXT).replace(/[\p{Surrogate}\0]/gu, '\ufffd');
