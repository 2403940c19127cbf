// `GET /api/documents`: a page of the document skills, or those that fit some words; with findings counted if asked (H2).
import type { Page } from '../../../catalog/view/page.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { hidePathsFor, maySeePaths } from '../../answers/hide-paths.ts';
import { invalid, json, type Reply } from '../message/reply.ts';
import { type SummaryJson, summaryJson } from './document-json.ts';
import { BAD_CURSOR, type Handlers } from './handler.ts';
import { createKeptReplies } from './kept-replies.ts';
import type { SkillFindings } from './skill-findings.ts';

export function listDocumentsHandler(
  repertoire: Repertoire,
  typed: Pick<Runtime, 'skills'>,
  findings: SkillFindings,
): Handlers['listDocuments'] {
  const keep = createKeptReplies(repertoire);
  return ({ query, admitted }) => {
    const { q = '', cursor, limit } = query;
    const isHidden = !maySeePaths(admitted);
    const plain = (page: Page) => listReply(summariesOf(page, repertoire.snapshot, isHidden), page);
    const counted = async (page: Page) =>
      listReply(await countEach(summariesOf(page, repertoire.snapshot, isHidden), page, findings), page);
    if (q.trim() !== '') {
      if (cursor !== undefined) return NO_PAGES;
      // As many hits may be typed skills.
      return findPage(repertoire, q, limit, limit + typed.skills.length).then(query.findings ? counted : plain);
    }
    const page = () => repertoire.page(repertoire.snapshot.skills, cursor, limit);
    if (query.findings) return answerPage(page(), counted);
    return keep(JSON.stringify([isHidden, limit, cursor ?? null]), () => answerPage(page(), plain));
  };
}

const answerPage = <R>(page: Page | undefined, answer: (page: Page) => R): R | Reply =>
  page === undefined ? BAD_CURSOR : answer(page);

const NO_PAGES = invalid('cursor: does not go with q; raise limit instead');

async function findPage(repertoire: Repertoire, words: string, limit: number, most: number): Promise<Page> {
  const hits = await repertoire.search(words, most);
  const skills = hits.flatMap((hit) => (hit.kind === 'document' ? [hit.skill] : []));
  return { skills: skills.slice(0, limit), nextCursor: undefined };
}

function summariesOf({ skills }: Page, snapshot: Snapshot, isHidden: boolean): readonly SummaryJson[] {
  const hide = hidePathsFor(isHidden, snapshot);
  return skills.map((skill) => summaryJson(skill, snapshot, hide));
}

const listReply = (documents: readonly SummaryJson[], { nextCursor }: Page): Reply =>
  json({ documents, next_cursor: nextCursor ?? null });

/** One after the other: whoever asks for one document meanwhile waits for one, not for a thousand. */
async function countEach(
  documents: readonly SummaryJson[],
  { skills }: Page,
  findings: SkillFindings,
): Promise<readonly SummaryJson[]> {
  const counts: number[] = [];
  for (const skill of skills) counts.push(await findings.countOf(skill));
  return documents.map((document, at) => ({ ...document, findings: counts[at] }));
}
