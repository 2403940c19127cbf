// `/api/documents`, `/api/problems` and `/api/search`: the document skills and what is wrong with them (H2).
import type { Skill } from '../../../catalog/skill.ts';
import type { DefinitionProblem } from '../../../execution/definition-problems.ts';
import type { Runtime } from '../../../execution/runtime.ts';
import type { Repertoire } from '../../../repertoire.ts';
import { hidePathsFor } from '../../hide-paths.ts';
import { listText } from '../../mcp/catalogue.ts';
import type { Handlers } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import { invalid, json, notFound, type Reply } from '../reply.ts';
import { hitJson, problemJson, summaryJson } from './document-json.ts';
import { hasTag, unchanged } from './etag.ts';
import { createKeptReplies } from './kept-replies.ts';
import { type PreparedDocument, PreparedDocuments } from './prepared-documents.ts';

type DocumentHandlers = Pick<Handlers, 'listDocuments' | 'getDocument' | 'listProblems' | 'search'>;

/** So that a root full of rubbish cannot make an answer without end; `repertoire doctor` shows all. */
const MAX_PROBLEMS = 5_000;

type Typed = Pick<Runtime, 'skills' | 'problems'>;

export function documentHandlers(repertoire: Repertoire, typed: Typed): DocumentHandlers {
  const prepared = new PreparedDocuments(repertoire);
  const keep = createKeptReplies(repertoire);
  return {
    listDocuments: ({ query: { q, cursor, limit }, exchange: { remote } }) => {
      if (q === undefined || q.trim() === '') {
        return keep(JSON.stringify([remote, limit, cursor ?? null]), () => listPage(repertoire, cursor, limit, remote));
      }
      if (cursor !== undefined) return invalid('cursor: does not go with q; raise limit instead');
      // As many hits may be typed skills.
      return repertoire.search(q, limit + typed.skills.length).then((hits) => {
        const skills = hits.flatMap((hit) => (hit.kind === 'document' ? [hit.skill] : []));
        return listReply(skills.slice(0, limit), undefined, repertoire, remote);
      });
    },
    getDocument: ({ exchange, parts: [name = ''] }) => {
      const skill = findDocument(repertoire, name);
      if (skill === undefined) return documentNotFound(name);
      const ready = prepared.find(skill, exchange.remote);
      return ready === undefined
        ? prepared.make(skill, exchange.remote).then((made) => giveOut(skill, made, exchange, repertoire))
        : giveOut(skill, ready, exchange, repertoire);
    },
    listProblems: ({ exchange: { remote } }) =>
      keep(`${remote} problems`, () => problemsReply(repertoire, typed, remote)),
    search: async ({ query: { q, limit } }) => json({ results: (await repertoire.search(q, limit)).map(hitJson) }),
  };
}

/** By its name; by its URI also one that another of the same name shadows (D5). */
export const findDocument = (repertoire: Repertoire, name: string): Skill | undefined =>
  repertoire.loadByName(name) ?? (/^skill:\/\//i.test(name) ? repertoire.loadByUri(name) : undefined);

export const documentNotFound = (name: string): Reply => notFound(`document ${JSON.stringify(listText(name, 200))}`);

function listPage(repertoire: Repertoire, cursor: string | undefined, limit: number, remote: boolean): Reply {
  const page = repertoire.page(repertoire.snapshot.skills, cursor, limit);
  if (page === undefined) return BAD_CURSOR;
  return listReply(page.skills, page.nextCursor, repertoire, remote);
}

export const BAD_CURSOR = invalid(
  'cursor: is none of ours; send next_cursor of the page before exactly as it came, or leave it out',
);

function listReply(
  skills: readonly Skill[],
  nextCursor: string | undefined,
  { snapshot }: Repertoire,
  remote: boolean,
): Reply {
  const hide = hidePathsFor(remote, snapshot);
  return json({ documents: skills.map((skill) => summaryJson(skill, hide)), next_cursor: nextCursor ?? null });
}

function problemsReply({ snapshot }: Repertoire, { problems }: Typed, remote: boolean): Reply {
  const hide = hidePathsFor(remote, snapshot);
  const ofDocuments = snapshot.problems.map((problem) => problemJson(problem, hide));
  return json({ problems: [...problems.map(definitionProblemJson), ...ofDocuments].slice(0, MAX_PROBLEMS) });
}

const definitionProblemJson = ({ skill, message, fix }: DefinitionProblem) => ({
  path: listText(skill, 300),
  rule: 'typed-skill-refused',
  message: listText(message, 500),
  fix: listText(fix, 500),
});

/** Whoever has it already reads nothing, and neither does HEAD: no load (D9). */
function giveOut(skill: Skill, { etag, content }: PreparedDocument, exchange: Exchange, repertoire: Repertoire): Reply {
  if (hasTag(exchange.request, etag)) return unchanged(etag);
  noteLoad(skill, exchange, repertoire);
  return content;
}

export function noteLoad(skill: Skill, { request, caller }: Exchange, repertoire: Repertoire): void {
  if (request.method === 'HEAD') return;
  repertoire.noteLoad({ skillName: skill.name, text: skill.bytes, client: caller.name, surface: 'api' });
}
