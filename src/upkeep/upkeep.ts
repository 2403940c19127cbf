// Which skills need a look: never found, never used, nearly the same as another, too long, shown twice; each with what to do.
// Facts in, findings out. Pure: who knows the facts gathers them.
import { counted, grouped } from '../text/counted.ts';
import { windowWords } from '../values/duration-ms.ts';
import type { DuplicateGroup } from './near-duplicates.ts';

export const UPKEEP_RULES = ['near-duplicate', 'shown-twice', 'never-found', 'never-used', 'too-long'] as const;

export type UpkeepRule = (typeof UPKEEP_RULES)[number];

export interface KeptSkill {
  readonly kind: 'document' | 'typed';
  readonly name: string;
  /** Of a document. */
  readonly uri: string | undefined;
  /** Of what an agent gets to read. */
  readonly tokens: number;
  /** In the window. */
  readonly uses: number;
  /** It was not there for the whole window: that it was not used says nothing yet. */
  readonly isNew: boolean;
}

/** What was found out about the skills; numbers are places in `skills`. */
export interface UpkeepFacts {
  readonly skills: readonly KeptSkill[];
  /** As it was given: `30d`. */
  readonly window: string;
  /** False: it is not known what was used. */
  readonly hasUses: boolean;
  readonly duplicates: readonly DuplicateGroup[];
  /** A search for its own description does not lead to it: what does come. */
  readonly unfound: ReadonlyMap<number, readonly string[]>;
  /** Hosts by whose own copies it is shown twice. */
  readonly twice: ReadonlyMap<number, { readonly hosts: readonly string[]; readonly isSame: boolean }>;
}

export interface UpkeepFinding {
  readonly rule: UpkeepRule;
  readonly skill: KeptSkill;
  /** Nearly the same: the others. */
  readonly others: readonly KeptSkill[];
  /** Of near-duplicates, from 0 to 1. */
  readonly similarity: number | undefined;
  /** That have a copy of their own. */
  readonly hosts: readonly string[];
  readonly message: string;
  readonly fix: string;
  /** Words of a command of this program that shows more. */
  readonly command: readonly string[] | undefined;
}

/** Beyond this an agent reads more than most tasks need: what the Agent Skills guide recommends at most. */
const MOST_TOKENS = 5_000;

/** A skill of which all uses together are so much of what was read … */
const LARGE_SHARE = 0.25;
/** … is worth shortening, if it is not short and not one of a few. */
const WORTH_SHORTENING = { tokens: 2_000, uses: 10, skills: 4 };

/** About four letters are a token in English prose; no model is asked. */
export const tokensOf = (letters: number): number => Math.ceil(letters / 4);

export function findUpkeep(facts: UpkeepFacts): readonly UpkeepFinding[] {
  return [
    ...duplicateFindings(facts),
    ...twiceFindings(facts),
    ...unfoundFindings(facts),
    ...unusedFindings(facts),
    ...longFindings(facts),
  ];
}

const ALONE = { others: [], similarity: undefined, hosts: [] } as const;

const skillAt = ({ skills }: UpkeepFacts, at: number): KeptSkill => skills[at] as KeptSkill;

const quoted = ({ name }: KeptSkill): string => JSON.stringify(name);

/** The most used is the one to keep; of those the first. */
function duplicateFindings(facts: UpkeepFacts): readonly UpkeepFinding[] {
  return facts.duplicates.map(({ members, similarity }) => {
    const [kept, ...others] = members.map((at) => skillAt(facts, at)).sort((a, b) => b.uses - a.uses) as [
      KeptSkill,
      ...KeptSkill[],
    ];
    const [first] = others as [KeptSkill, ...KeptSkill[]];
    const named = others.length === 1 ? quoted(first) : counted(others.length, 'other skill');
    const alike = similarity === 1 ? 'say the same' : `say nearly the same (${Math.floor(similarity * 100)} %)`;
    return {
      rule: 'near-duplicate',
      skill: kept,
      others,
      similarity,
      hosts: [],
      message: `${quoted(kept)} and ${named} ${alike}: agents cannot tell which one to load`,
      fix: `Keep ${quoted(kept)}${facts.hasUses && kept.uses > first.uses ? ', which is used most' : ''}, and remove what it repeats or leave it out with --without`,
      command: showCommand(first),
    };
  });
}

const showCommand = ({ kind, name, uri }: KeptSkill): readonly string[] | undefined =>
  kind === 'document' ? ['show', uri ?? name] : undefined;

const twiceFindings = (facts: UpkeepFacts): readonly UpkeepFinding[] =>
  [...facts.twice].map(([at, { hosts, isSame }]) => {
    const skill = skillAt(facts, at);
    const have = hosts.length === 1 ? 'has' : 'have';
    return {
      ...ALONE,
      rule: 'shown-twice',
      skill,
      hosts,
      message: isSame
        ? `${hostsText(hosts)} ${have} ${quoted(skill)} anyway, and --show-native shows it a second time`
        : `${hostsText(hosts)} ${have} another version of ${quoted(skill)} in ${hosts.length === 1 ? 'its' : 'their'} own folder: agents there see both`,
      fix: isSame ? 'Leave out --show-native' : "Make the two the same, or remove the host's copy",
      command: showCommand(skill),
    };
  });

const NAMED_HOSTS = 3;

const hostsText = (hosts: readonly string[]): string =>
  [
    ...hosts.slice(0, NAMED_HOSTS),
    ...(hosts.length > NAMED_HOSTS ? [counted(hosts.length - NAMED_HOSTS, 'other host')] : []),
  ].join(', ');

const unfoundFindings = (facts: UpkeepFacts): readonly UpkeepFinding[] =>
  [...facts.unfound].map(([at, instead]) => {
    const skill = skillAt(facts, at);
    const come =
      instead.length === 0
        ? 'it finds nothing'
        : `it finds ${instead.map((name) => JSON.stringify(name)).join(', ')} first`;
    return {
      ...ALONE,
      rule: 'never-found',
      skill,
      message: `A search for what ${quoted(skill)} says it is for does not find it: ${come}`,
      fix: 'Say in its description what only this skill does, in the words that people use for the task',
      command: ['search', skill.name],
    };
  });

function unusedFindings(facts: UpkeepFacts): readonly UpkeepFinding[] {
  if (!facts.hasUses) return [];
  return facts.skills
    .filter(({ uses, isNew }) => uses === 0 && !isNew)
    .map((skill) => ({
      ...ALONE,
      rule: 'never-used',
      skill,
      message: `${quoted(skill)} was not ${skill.kind === 'typed' ? 'invoked' : 'read'} in the last ${windowWords(facts.window)}`,
      fix: 'Say in its description when to use it; if the task is gone, remove it or leave it out with --without',
      command: ['stats', '--window', '365d', '--skill', skill.name],
    }));
}

/** By what it costs: all uses of the window together. */
function longFindings(facts: UpkeepFacts): readonly UpkeepFinding[] {
  const costOf = ({ tokens, uses }: KeptSkill) => tokens * uses;
  const read = facts.skills.filter(({ kind, uses }) => kind === 'document' && uses > 0);
  const spent = read.reduce((sum, skill) => sum + costOf(skill), 0);
  const isCostly = (skill: KeptSkill) =>
    read.length >= WORTH_SHORTENING.skills &&
    skill.tokens >= WORTH_SHORTENING.tokens &&
    skill.uses >= WORTH_SHORTENING.uses &&
    costOf(skill) >= LARGE_SHARE * spent;
  return facts.skills
    .filter((skill) => skill.kind === 'document' && (skill.tokens > MOST_TOKENS || isCostly(skill)))
    .sort((a, b) => costOf(b) - costOf(a) || b.tokens - a.tokens)
    .map((skill) => ({
      ...ALONE,
      rule: 'too-long',
      skill,
      message: `${quoted(skill)} takes about ${grouped(skill.tokens)} tokens each time it is read${usesText(skill, facts)}`,
      fix: 'Move what few tasks need into files beside its SKILL.md, which agents read when they need them',
      command: showCommand(skill),
    }));
}

function usesText({ uses, tokens }: KeptSkill, { hasUses, window }: UpkeepFacts): string {
  if (!hasUses) return '';
  if (uses === 0) return `, and was not read in the last ${windowWords(window)}`;
  return `: ${grouped(tokens * uses)} for ${counted(uses, 'use')} in the last ${windowWords(window)}`;
}
