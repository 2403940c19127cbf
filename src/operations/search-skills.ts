// `search_skills`: the skills of both kinds that fit a request best, and why (T13).
import { type Repertoire, SEARCH_LIMIT, type SkillHit } from '../repertoire/repertoire.ts';
import { echoText, listText } from '../text/list-text.ts';
import { ok } from '../values/result.ts';
import { ANY_INVOKER } from './access.ts';
import { skillLine } from './list-skills.ts';
import { operation, type ToolNames, toolOfOurs } from './operation.ts';
import { choice, decimal, list, record, text, whole } from './shape.ts';

/** A whole request may be of any length; what comes later tells no more of the task, and would take its time. */
const MOST_SEARCHED = 10_000;

/** Offered when nothing fits. */
const NEAREST = 5;

const hitFields = { kind: choice(['document', 'typed']), name: text(), description: text() };
const fit = {
  score: decimal().about('Greater is better; comparable within one answer'),
  why: text().about('The words of the query that were found, by field: "name: pdf; description: forms, fill"'),
};

/** Of the API. */
export const searchResults = record({
  results: list(
    record({ ...hitFields, uri: text().about('Of a document; a typed skill has none').optional(), ...fit }),
  ),
}).named('SearchResults');

interface Found {
  readonly query: string;
  readonly hits: readonly SkillHit[];
  /** Names that look like the query, when nothing fits. */
  readonly nearest: readonly string[];
}

export const searchSkills = operation({
  id: 'search_skills',
  summary: 'The skills of both kinds that fit some words or a whole request, best first',
  access: ANY_INVOKER,
  input: {
    query: text({
      least: 1,
      wanted: 'a few words that say what the task is',
      fault: (words) => (words.trim() === '' ? 'must not be empty: say in a few words what the task is' : undefined),
    }).about('Words, a name, or a whole request'),
    limit: whole({ least: SEARCH_LIMIT.least, most: SEARCH_LIMIT.most })
      .usual(SEARCH_LIMIT.usual)
      .orNull()
      .about('At most so many skills'),
  },
  output: record({ skills: list(record({ ...hitFields, uri: text().nullable(), ...fit })) }),
  run: async ({ query, limit }, { caller }, { repertoire }: { readonly repertoire: Repertoire }) => {
    const hits = await repertoire.search(query.slice(0, MOST_SEARCHED), limit, caller);
    const nearest = hits.length > 0 ? [] : repertoire.nearest(query, NEAREST).map(({ name }) => name);
    return ok({ query, hits, nearest });
  },
  // A typed skill has no address: it is a tool of the same name.
  project: ({ hits }: Found) => ({ skills: hits.map((hit) => hitJson(hit, { uri: hit.uri ?? null })) }),
  mcp: {
    title: 'Search skills',
    describe: (names) =>
      'Find the skills that fit a task: send a few words, or the whole request as it was made. ' +
      `Answers the best first, with why each fits. Then load one with ${toolOfOurs(names.skill)}; ` +
      `what has no name of its own, by its uri with ${names.get_skill}.`,
    text: (found, names) => (found.hits.length > 0 ? describeHits(found.hits, names) : describeNone(found, names)),
  },
  http: {
    id: 'search',
    method: 'GET',
    path: '/api/search',
    tag: 'search',
    aliases: { query: 'q' },
    answer: 'The skills that fit',
    output: searchResults,
    project: ({ hits }) => ({
      results: hits.map((hit) => hitJson(hit, hit.uri === undefined ? {} : { uri: hit.uri })),
    }),
  },
});

const hitJson = <Address>({ kind, name, description, score, why }: SkillHit, address: Address) => ({
  kind,
  name,
  description: listText(description, 2_000),
  ...address,
  score,
  why: whyText(why),
});

/** Words of the caller and of nobody else, still on one line. */
const whyText = (why: string): string => listText(why, 300);

const describeHits = (hits: readonly SkillHit[], names: ToolNames): string =>
  [
    ...hits.map((hit) => `${skillLine(hit)} ${addressOf(hit, names)}\n  ${whyText(hit.why)}`),
    ...(hits.some(({ skill }) => skill && !skill.isUnnamed) ? [howToLoad(names)] : []),
  ].join('\n');

/** With how to use it, where that is not by a name. */
function addressOf({ skill, uri }: SkillHit, names: ToolNames): string {
  if (uri === undefined) return '(a tool of this server: call it)';
  return skill.isUnnamed ? `${uri} (it has no name: load it with ${names.get_skill} and this uri)` : uri;
}

/** On a server without `skill` another tool stands in its place, which takes the URI. */
const howToLoad = ({ skill, get_skill: byUri }: ToolNames): string =>
  `Load one: call ${toolOfOurs(skill)} with its ${skill === byUri || skill.includes('/') ? 'URI' : 'name'}`;

function describeNone({ query, nearest }: Found, names: ToolNames): string {
  const near = nearest.map((name) => listText(name, 100));
  const hint = near.length > 0 ? `Nearest names: ${near.join(', ')}` : 'There are no skills';
  return `No skill fits ${JSON.stringify(echoText(query, 200))}. ${hint}. ${names.list_skills} shows every one.`;
}
