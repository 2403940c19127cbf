// `/api/documents`, `/api/problems` and `/api/search`: the document skills and what is wrong with them (H2).
import type { IncomingMessage } from 'node:http';
import type { Page } from '../../../catalog/view/page.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { DefinitionProblem } from '../../../skills/define/definition-problems.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { listText } from '../../../text/list-text.ts';
import { hidePathsFor, maySeePaths } from '../../answers/hide-paths.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { hasSession } from '../message/dashboard-session.ts';
import { hasTag, unchanged } from '../message/etag.ts';
import { invalid, json, notFound, type Reply } from '../message/reply.ts';
import { hitJson, problemJson, type SummaryJson, summaryJson } from './document-json.ts';
import { BAD_CURSOR, type Handlers } from './handler.ts';
import { createKeptDocuments, createKeptReplies, type KeepReply, type KeptDocument } from './kept-replies.ts';
import { createSkillFindings, type SkillFindings } from './skill-findings.ts';

type DocumentHandlers = Pick<Handlers, 'listDocuments' | 'getDocument' | 'listProblems' | 'search'>;

/** So that a root full of rubbish cannot make an answer without end; `repertoire doctor` shows all. */
const MAX_PROBLEMS = 5_000;

type Typed = Pick<Runtime, 'skills' | 'problems'>;

export function documentHandlers(repertoire: Repertoire, typed: Typed): DocumentHandlers {
  const findings = createSkillFindings(repertoire);
  const kept = createKeptDocuments(repertoire, findings);
  const keep = createKeptReplies(repertoire);
  return {
    listDocuments: listDocumentsHandler(repertoire, typed, findings, keep),
    getDocument: ({ admitted, parts: [name = ''] }) => {
      const skill = findDocument(repertoire, name);
      if (skill === undefined) return documentNotFound(name);
      const isHidden = !maySeePaths(admitted);
      const ready = kept.find(skill, isHidden);
      return ready === undefined
        ? kept.make(skill, isHidden).then((made) => giveOut(skill, made, admitted, repertoire))
        : giveOut(skill, ready, admitted, repertoire);
    },
    listProblems: ({ admitted }) => {
      const isHidden = !maySeePaths(admitted);
      return keep(`${isHidden} problems`, () => problemsReply(repertoire, typed, isHidden));
    },
    search: async ({ query: { q, limit } }) => json({ results: (await repertoire.search(q, limit)).map(hitJson) }),
  };
}

function listDocumentsHandler(
  repertoire: Repertoire,
  typed: Pick<Runtime, 'skills'>,
  findings: SkillFindings,
  keep: KeepReply,
): Handlers['listDocuments'] {
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
    return keep(JSON.stringify(['documents', isHidden, limit, cursor ?? null]), () => answerPage(page(), plain));
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

/** One after the other: a request for one document meanwhile waits for one, not for a thousand. */
async function countEach(
  documents: readonly SummaryJson[],
  { skills }: Page,
  findings: SkillFindings,
): Promise<readonly SummaryJson[]> {
  const counts: number[] = [];
  for (const skill of skills) counts.push(await findings.countOf(skill));
  return documents.map((document, at) => ({ ...document, findings: counts[at] }));
}

/** By its name; by its URI also one that another of the same name shadows (D5). */
export const findDocument = (repertoire: Repertoire, name: string): Skill | undefined =>
  repertoire.loadByName(name) ?? (/^skill:\/\//i.test(name) ? repertoire.loadByUri(name) : undefined);

export const documentNotFound = (name: string): Reply => notFound(`document ${JSON.stringify(listText(name, 200))}`);

function problemsReply({ snapshot }: Repertoire, { problems }: Typed, isHidden: boolean): Reply {
  const hide = hidePathsFor(isHidden, snapshot);
  const ofDocuments = snapshot.problems.map((problem) => problemJson(problem, hide));
  return json({ problems: [...problems.map(definitionProblemJson), ...ofDocuments].slice(0, MAX_PROBLEMS) });
}

const definitionProblemJson = ({ skill, message, fix }: DefinitionProblem) => ({
  path: listText(skill, 300),
  source: null,
  line: null,
  rule: 'typed-skill-refused',
  severity: 'error',
  message: listText(message, 500),
  fix: listText(fix, 500),
});

/** A client that has it already reads nothing, and neither does HEAD: no load (D9). */
function giveOut(
  skill: Skill,
  { etag, content }: KeptDocument,
  admitted: AdmittedRequest,
  repertoire: Repertoire,
): Reply {
  if (hasTag(admitted.request, etag)) return unchanged(etag);
  noteLoad(skill, admitted, repertoire);
  return content;
}

export function noteLoad(skill: Skill, { request, caller }: AdmittedRequest, repertoire: Repertoire): void {
  if (request.method === 'HEAD' || isOfPage(request)) return;
  repertoire.noteLoad({ skillName: skill.name, text: skill.bytes, client: caller.name, surface: 'api' });
}

/** A person who looks at the dashboard is no reader of the skill (D9). With `--no-auth` a page has no session. */
const isOfPage = ({ headers }: IncomingMessage): boolean =>
  hasSession(headers) || (headers.authorization === undefined && headers['sec-fetch-site'] === 'same-origin');
