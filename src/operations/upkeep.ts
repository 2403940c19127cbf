// Which skills need a look, and what to do: from the skills, the log and the folders of hosts. All that is large is loaded by
// the first who asks, and works in short pieces: the process answers others meanwhile.
import { createTimeSlice } from '../async/time-slice.ts';
import type { Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { findFrontmatter } from '../document/frontmatter.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import { toShellLine } from '../text/shell-line.ts';
import type { DuplicateGroup } from '../upkeep/near-duplicates.ts';
import type { KeptSkill, UpkeepFacts, UpkeepFinding } from '../upkeep/upkeep.ts';
import { durationMs } from '../values/duration-ms.ts';
import { ok } from '../values/result.ts';
import { LOG_READERS } from './access.ts';
import type { Logs } from './log.ts';
import { operation } from './operation.ts';
import { duration } from './parameters.ts';
import { choice, count, decimal, flag, list, record, type TypeOf, text } from './shape.ts';

/** A skill that a host also has in a folder of its own, so that it is shown twice. */
interface HostCopy {
  readonly skill: Skill;
  /** Titles. */
  readonly hosts: readonly string[];
  /** The same text. */
  readonly isSame: boolean;
}

export interface UpkeepPorts {
  readonly repertoire: Pick<Repertoire, 'snapshot' | 'search' | 'searchReady' | 'typedSkills'>;
  /** `undefined` with `--no-log`. */
  readonly logs: Pick<Logs, 'invocations' | 'loads'> | undefined;
  readonly now: () => Date;
  readonly upkeep: UpkeepPort;
}

export interface UpkeepPort {
  /** Looks at the disk. None where hosts are elsewhere. */
  hostCopies(snapshot: Snapshot): readonly HostCopy[];
  /** When its file came or changed; `undefined` where that cannot be seen. Looks at the disk. */
  changedAt(skill: Skill): Date | undefined;
  /** Of the product: the operator did not write it. */
  isBuiltin(name: string): boolean;
}

export const USUAL_WINDOW = '30d';

/** So many are told; the first are what matters most. */
const MOST_FINDINGS = 5_000;

export interface UpkeepReport {
  readonly window: string;
  readonly skills: number;
  readonly hasUses: boolean;
  readonly findings: readonly UpkeepFinding[];
}

const named = record({
  kind: choice(['document', 'typed']),
  name: text(),
  uri: text().nullable().about('Of a document'),
});

const finding = record({
  rule: text().about(
    'near-duplicate, shown-twice, never-found, never-used or too-long; a later version may have others',
  ),
  skill: named,
  others: list(named).about('Of near-duplicates: the others'),
  similarity: decimal({ least: 0, most: 1 }).nullable().about('Of near-duplicates: how much of one is in the other'),
  hosts: list(text()).about('That have a copy of their own'),
  tokens: count.about('Of its text, estimated'),
  uses: count.nullable().about('In the window; null where it is not known what was used'),
  message: text(),
  fix: text(),
  command: text().nullable().about('Shows more'),
})
  .about('A skill that needs a look, and what to do')
  .named('UpkeepFinding');

export const getUpkeep = operation({
  id: 'get_upkeep',
  summary: 'Which skills are never found or used, nearly the same, too long or shown twice, and what to do',
  access: LOG_READERS,
  input: { window: duration.usual(USUAL_WINDOW).about('How far back uses count: a number and `m`, `h` or `d`') },
  output: record({
    window: text(),
    skills_checked: count,
    uses_known: flag.about('False: nothing was recorded in the window, so nothing is told of use'),
    findings: list(finding),
  }).named('Upkeep'),
  run: async ({ window }, _asking, ports: UpkeepPorts) => ok(await lookAfter(window, ports)),
  project: upkeepJson,
  http: {
    id: 'getUpkeep',
    method: 'GET',
    path: '/api/upkeep',
    tag: 'documents',
    failures: [503],
    answer: 'What needs a look',
  },
});

export function upkeepJson({ window, skills, hasUses, findings }: UpkeepReport) {
  const told = findings.slice(0, MOST_FINDINGS).map((each) => findingJson(each, hasUses));
  return { window, skills_checked: skills, uses_known: hasUses, findings: told };
}

const namedJson = ({ kind, name, uri }: KeptSkill): TypeOf<typeof named> => ({ kind, name, uri: uri ?? null });

const findingJson = (found: UpkeepFinding, hasUses: boolean): TypeOf<typeof finding> => ({
  rule: found.rule,
  skill: namedJson(found.skill),
  others: found.others.map(namedJson),
  similarity: found.similarity ?? null,
  hosts: found.hosts,
  tokens: found.skill.tokens,
  uses: hasUses ? found.skill.uses : null,
  message: found.message,
  fix: found.fix,
  command: found.command ? toShellLine(['repertoire', ...found.command]) : null,
});

/** `onStep` is told what is going on. */
export async function lookAfter(
  window: string,
  ports: UpkeepPorts,
  onStep: (text: string) => void = () => undefined,
): Promise<UpkeepReport> {
  const { findUpkeep } = await import('../upkeep/upkeep.ts');
  const facts = await gatherFacts(window, ports, onStep);
  return { window, skills: facts.skills.length, hasUses: facts.hasUses, findings: findUpkeep(facts) };
}

async function gatherFacts(window: string, ports: UpkeepPorts, onStep: (text: string) => void): Promise<UpkeepFacts> {
  const { repertoire, upkeep } = ports;
  const { snapshot } = repertoire;
  const documents = snapshot.skills;
  const uses = await countUses(window, ports);
  const kept = await describeSkills(documents, ports, { uses, since: sinceOf(window, ports) });
  const duplicates = await duplicatesIn(snapshot, onStep);
  const places = new Map(documents.map((skill, at) => [skill, at]));
  const twice = new Map(
    upkeep.hostCopies(snapshot).flatMap(({ skill, hosts, isSame }) => {
      const at = places.get(skill);
      return at === undefined ? [] : [[at, { hosts, isSame }] as const];
    }),
  );
  const unfound = await findUnfound({ documents, kept, duplicates }, ports, onStep);
  return { skills: kept, window, hasUses: uses.size > 0, duplicates, unfound, twice };
}

const sinceOf = (window: string, { now }: Pick<UpkeepPorts, 'now'>): Date =>
  new Date(now().getTime() - durationMs(window));

/** By name, in any letter case: reads of documents and runs of typed skills. */
async function countUses(window: string, { logs, now }: UpkeepPorts): Promise<ReadonlyMap<string, number>> {
  if (logs === undefined) return new Map();
  const [since, until] = [sinceOf(window, { now }), now()];
  const [loads, ran] = await Promise.all([logs.loads.counts(since), logs.invocations.stats({ since, until })]);
  const uses = new Map<string, number>();
  const add = (name: string, times: number) => uses.set(keyOf(name), (uses.get(keyOf(name)) ?? 0) + times);
  for (const [name, times] of loads) add(name, times);
  for (const { skillName, count: times } of ran.skills) add(skillName, times);
  return uses;
}

const keyOf = (name: string): string => name.trim().toLowerCase();

async function describeSkills(
  documents: readonly Skill[],
  { repertoire, upkeep }: UpkeepPorts,
  { uses, since }: { readonly uses: ReadonlyMap<string, number>; readonly since: Date },
): Promise<readonly KeptSkill[]> {
  const { tokensOf } = await import('../upkeep/upkeep.ts');
  const usesOf = (name: string) => uses.get(keyOf(name)) ?? 0;
  const typed = repertoire.typedSkills.filter(({ name }) => !upkeep.isBuiltin(name));
  const isNew = (skill: Skill) => (upkeep.changedAt(skill) ?? since) > since;
  return [
    ...documents.map((skill) => ({
      kind: 'document' as const,
      name: skill.name,
      uri: skill.uri,
      tokens: tokensOf(skill.bytes.length),
      uses: usesOf(skill.name),
      // Only of what was not used does it matter.
      isNew: usesOf(skill.name) === 0 && isNew(skill),
    })),
    ...typed.map(({ name, description }) => ({
      kind: 'typed' as const,
      name,
      uri: undefined,
      tokens: tokensOf(description.length),
      uses: usesOf(name),
      isNew: false,
    })),
  ];
}

/** The process answers others after so long. */
const SLICE_MS = 5;

/** They follow from the snapshot alone: looked for once for each. */
const known = new WeakMap<Snapshot, Promise<readonly DuplicateGroup[]>>();

function duplicatesIn(snapshot: Snapshot, onStep: (text: string) => void): Promise<readonly DuplicateGroup[]> {
  const found = known.get(snapshot) ?? compareAll(snapshot.skills, onStep);
  known.set(snapshot, found);
  found.catch(() => known.delete(snapshot));
  return found;
}

async function compareAll(
  documents: readonly Skill[],
  onStep: (text: string) => void,
): Promise<readonly DuplicateGroup[]> {
  const { findNearDuplicates } = await import('../upkeep/near-duplicates.ts');
  const slice = createTimeSlice(SLICE_MS);
  const texts: string[] = [];
  for (const skill of documents) {
    texts.push(textOf(skill));
    if (slice.isSpent()) await slice.rest();
  }
  const steps = findNearDuplicates(texts);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (!slice.isSpent()) continue;
    onStep('Comparing the skills…');
    await slice.rest();
  }
}

/** What it says: its description and its body, without the name that a copy has another one of. */
function textOf(skill: Skill): string {
  const text = skill.bytes.toString('utf8');
  const frontmatter = findFrontmatter(text);
  return `${skill.description}\n${frontmatter.ok ? text.slice(frontmatter.value.bodyOffset) : text}`;
}

/** So many an agent gets to see, as a rule. */
const SEEN = 10;
/** A request is no longer than this, as a rule. */
const ASKED_WORDS = 8;
/** Shorter ones tell little. */
const LETTERS = 4;
const TOLD_INSTEAD = 3;

interface Looked {
  readonly documents: readonly Skill[];
  readonly kept: readonly KeptSkill[];
  readonly duplicates: readonly DuplicateGroup[];
}

/**
 * Those that were not used, and that a search for their own description does not show. A copy stands for what it repeats, and a
 * skill that another one shadows is told as a problem already.
 */
async function findUnfound(
  { documents, kept, duplicates }: Looked,
  { repertoire }: UpkeepPorts,
  onStep: (text: string) => void,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const unfound = new Map<number, readonly string[]>();
  const copies = copiesIn(duplicates, documents);
  onStep('Indexing the skills…');
  // Searches without the index go through all heads each, keep it from being made, and find other skills than it does.
  await repertoire.searchReady();
  const slice = createTimeSlice(SLICE_MS);
  for (const [at, skill] of documents.entries()) {
    const asked = wordsOf(skill.description);
    if ((kept[at]?.uses ?? 0) > 0 || asked === '' || !repertoire.snapshot.isNamed(skill)) continue;
    const hits = await repertoire.search(asked, SEEN);
    const isIt = ({ uri = '' }) => uri === skill.uri || copies.get(skill.uri)?.has(uri) === true;
    if (!hits.some(isIt))
      unfound.set(
        at,
        hits.slice(0, TOLD_INSTEAD).map(({ name }) => name),
      );
    if (!slice.isSpent()) continue;
    onStep(`Searching… ${at + 1} of ${documents.length} skills`);
    await slice.rest();
  }
  return unfound;
}

/** By the address of each: all that say the same. */
function copiesIn(groups: readonly DuplicateGroup[], documents: readonly Skill[]): ReadonlyMap<string, Set<string>> {
  const copies = new Map<string, Set<string>>();
  for (const { members } of groups) {
    const uris = new Set(members.map((at) => documents[at]?.uri ?? ''));
    for (const uri of uris) copies.set(uri, uris);
  }
  return copies;
}

const wordsOf = (description: string): string =>
  description
    .slice(0, 1_000)
    .split(/\s+/)
    .filter(({ length }) => length >= LETTERS)
    .slice(0, ASKED_WORDS)
    .join(' ');
