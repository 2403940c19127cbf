// `/api/documents`, `/api/problems` and `/api/search`: the document skills and what is wrong with them (H2).
import type { IncomingMessage } from 'node:http';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { DefinitionProblem } from '../../../skills/define/definition-problems.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { listText } from '../../../text/list-text.ts';
import { hidePathsFor, maySeePaths } from '../../answers/hide-paths.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { hasSession } from '../message/dashboard-session.ts';
import { hasTag, unchanged } from '../message/etag.ts';
import { json, notFound, type Reply } from '../message/reply.ts';
import { hitJson, problemJson } from './document-json.ts';
import { listDocumentsHandler } from './document-list.ts';
import type { Handlers } from './handler.ts';
import { createKeptReplies } from './kept-replies.ts';
import { type PreparedDocument, PreparedDocuments } from './prepared-documents.ts';
import { createSkillFindings } from './skill-findings.ts';

type DocumentHandlers = Pick<Handlers, 'listDocuments' | 'getDocument' | 'listProblems' | 'search'>;

/** So that a root full of rubbish cannot make an answer without end; `repertoire doctor` shows all. */
const MAX_PROBLEMS = 5_000;

type Typed = Pick<Runtime, 'skills' | 'problems'>;

export function documentHandlers(repertoire: Repertoire, typed: Typed): DocumentHandlers {
  const findings = createSkillFindings(repertoire);
  const prepared = new PreparedDocuments(repertoire, findings);
  const keep = createKeptReplies(repertoire);
  return {
    listDocuments: listDocumentsHandler(repertoire, typed, findings),
    getDocument: ({ admitted, parts: [name = ''] }) => {
      const skill = findDocument(repertoire, name);
      if (skill === undefined) return documentNotFound(name);
      const isHidden = !maySeePaths(admitted);
      const ready = prepared.find(skill, isHidden);
      return ready === undefined
        ? prepared.make(skill, isHidden).then((made) => giveOut(skill, made, admitted, repertoire))
        : giveOut(skill, ready, admitted, repertoire);
    },
    listProblems: ({ admitted }) => {
      const isHidden = !maySeePaths(admitted);
      return keep(`${isHidden} problems`, () => problemsReply(repertoire, typed, isHidden));
    },
    search: async ({ query: { q, limit } }) => json({ results: (await repertoire.search(q, limit)).map(hitJson) }),
  };
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

/** Whoever has it already reads nothing, and neither does HEAD: no load (D9). */
function giveOut(
  skill: Skill,
  { etag, content }: PreparedDocument,
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
