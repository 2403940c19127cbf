// Document skills and problems as lists of the API (H2).
import type { Page } from '../catalog/view/page.ts';
import type { Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { compareNamed } from '../document/names.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import type { DefinitionProblem } from '../skills/define/definition-problems.ts';
import type { Runtime } from '../skills/run/runtime.ts';
import { listText } from '../text/list-text.ts';
import { ok } from '../values/result.ts';
import { ANY_CALLER, hidePathsFor } from './access.ts';
import { documentSummary, type ProblemJson, problem, problemJson, summaryJson } from './document-json.ts';
import { BAD_CURSOR, cursor, pageSize } from './list-skills.ts';
import { invalidInput, operation } from './operation.ts';
import { flag, list, record, text } from './shape.ts';
import type { SkillFindings } from './skill-findings.ts';

export interface ListPorts {
  readonly repertoire: Repertoire;
  readonly runtime: Pick<Runtime, 'skills' | 'problems'>;
  readonly findings: SkillFindings;
}

/** Longer requests have no more words that could be found. */
const LONGEST_QUERY = 2_000;

/** So that a root full of rubbish cannot make an answer without end; `repertoire doctor` shows all. */
const MAX_PROBLEMS = 5_000;

const API = { tag: 'documents', method: 'GET' } as const;

export const listDocuments = operation({
  id: 'list_documents',
  summary: 'Every document in name order, a page at a time; with q the ones that fit it, best first',
  access: ANY_CALLER,
  input: {
    q: text({ most: LONGEST_QUERY }).about('Words to find').optional(),
    cursor,
    limit: pageSize,
    findings: flag
      .usual(false)
      .about('Count the suspicious places of each document; the first time this takes a while'),
  },
  output: record({ documents: list(documentSummary), next_cursor: text().nullable() }).named('DocumentList'),
  isKept: ({ q, findings }) => q === undefined && !findings,
  run: ({ q = '', cursor: from, limit, findings: isCounted }, { remote }, ports: ListPorts) => {
    const { repertoire, findings } = ports;
    const found = (page: Page, counts: readonly number[] = []) => {
      const { snapshot } = repertoire;
      return ok({ ...page, counts, snapshot, hide: hidePathsFor(remote, snapshot) });
    };
    const answer = async (page: Page) => found(page, isCounted ? await countEach(page.skills, findings) : []);
    if (q.trim() !== '') {
      if (from !== undefined) return invalidInput('cursor: cannot be combined with q; raise limit instead');
      return findPage(q, limit, ports).then(answer);
    }
    const page = repertoire.page(documentsIn(repertoire.snapshot), from, limit);
    if (page === undefined) return invalidInput(BAD_CURSOR);
    return isCounted ? answer(page) : found(page);
  },
  project: ({ skills, nextCursor, counts, snapshot, hide }) => ({
    documents: skills.map((skill, at) => {
      const summary = summaryJson(skill, snapshot, hide);
      const findings = counts[at];
      return findings === undefined ? summary : { ...summary, findings };
    }),
    next_cursor: nextCursor ?? null,
  }),
  http: { ...API, id: 'listDocuments', path: '/api/documents', answer: 'A page of documents' },
});

const known = new WeakMap<Snapshot, readonly Skill[]>();

/** Those without a name stand where their folders' names belong. Put together once per snapshot. */
function documentsIn(snapshot: Snapshot): readonly Skill[] {
  if (snapshot.unnamed.length === 0) return snapshot.skills;
  const documents = known.get(snapshot) ?? [...snapshot.skills, ...snapshot.unnamed].sort(compareNamed);
  known.set(snapshot, documents);
  return documents;
}

async function findPage(words: string, limit: number, { repertoire, runtime }: ListPorts): Promise<Page> {
  // As many hits may be typed skills.
  const hits = await repertoire.search(words, limit + runtime.skills.length);
  const skills = hits.flatMap((hit) => (hit.kind === 'document' ? [hit.skill] : []));
  return { skills: skills.slice(0, limit), nextCursor: undefined };
}

/** One after the other: a request for one document meanwhile waits for one, not for a thousand. */
async function countEach(skills: readonly Skill[], findings: SkillFindings): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const skill of skills) counts.push(await findings.countOf(skill));
  return counts;
}

export const listProblems = operation({
  id: 'list_problems',
  summary: 'Why skills are not served, or not as written, and how to fix it',
  access: ANY_CALLER,
  input: {},
  output: record({ problems: list(problem) }).named('ProblemList'),
  isKept: () => true,
  run: (_input, { remote }, { repertoire: { snapshot }, runtime }: ListPorts) =>
    ok({ snapshot, refused: runtime.problems, hide: hidePathsFor(remote, snapshot) }),
  project: ({ snapshot, refused, hide }) => {
    const ofDocuments = snapshot.problems.slice(0, MAX_PROBLEMS).map((each) => problemJson(each, hide));
    return { problems: [...refused.map(definitionProblemJson), ...ofDocuments].slice(0, MAX_PROBLEMS) };
  },
  http: { ...API, id: 'listProblems', path: '/api/problems', answer: 'The problems' },
});

const definitionProblemJson = ({ skill, message, fix }: DefinitionProblem): ProblemJson => ({
  path: listText(skill, 300),
  source: null,
  line: null,
  rule: 'typed-skill-refused',
  severity: 'error',
  message: listText(message, 500),
  fix: listText(fix, 500),
});
