// What the scripted model does with our tools: one call of each, and what has to come back. Pure, apart from the skill on
// disk that the calls are about.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked, Said, ToolName } from './model-protocols.ts';

export interface Step {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  /** Stands in the answer, however a host wraps it: no quotes, no line ends. */
  readonly expected: string;
}

const SKILL = 'tea-tasting';
const IN_DESCRIPTION = 'Describes green tea by colour and smell';
const IN_TEXT = 'Warm the white porcelain bowl first';
const IN_FILE = 'Sencha smells of cut grass and seaweed';

/** In an order that a person could follow, too: what is there, what fits, read it, read on. */
export const STEPS: readonly Step[] = [
  { tool: 'list_skills', input: {}, expected: IN_DESCRIPTION },
  { tool: 'search_skills', input: { query: 'describe green tea' }, expected: IN_DESCRIPTION },
  { tool: 'skill', input: { name: SKILL }, expected: IN_TEXT },
  { tool: 'get_skill', input: { skill_name: SKILL }, expected: IN_TEXT },
  { tool: 'read_skill_file', input: { skill: SKILL, path: 'references/sencha.md' }, expected: IN_FILE },
];

/** Words that no host sends by itself, so that the model knows its turn from requests for a title. */
export const REQUEST = 'Taste the green tea with every tool of repertoire.';

export function writeSkill(root: string): void {
  mkdirSync(join(root, SKILL, 'references'), { recursive: true });
  const head = `---\nname: ${SKILL}\ndescription: ${IN_DESCRIPTION}. Use when tasting green tea.\n---\n`;
  writeFileSync(
    join(root, SKILL, 'SKILL.md'),
    `${head}\n# Tasting tea\n\n${IN_TEXT}. Then see references/sencha.md.\n`,
  );
  writeFileSync(join(root, SKILL, 'references/sencha.md'), `${IN_FILE}.\n`);
}

/** How a tool is called where it is offered, if it is. */
type FindTool = (tools: readonly ToolName[], tool: string) => ToolName | undefined;

/** Hosts put the name of the server before that of the tool, or into a namespace; some have a tool "skill" of their own. */
export const findTool: FindTool = (tools, tool) =>
  tools.find(({ name, namespace = '' }) => new RegExp(`repertoire[^a-z]*${tool}$`).test(`${namespace}:${name}`));

/** Libraries may leave the name as it is: they have no tools of their own. */
export const findLibraryTool: FindTool = (tools, tool) =>
  findTool(tools, tool) ?? tools.find(({ name }) => name === tool);

export const findOffered = (tools: readonly ToolName[], find: FindTool): Sighting['offered'] =>
  new Map(
    STEPS.flatMap(({ tool }) => {
      const found = find(tools, tool);
      return found === undefined ? [] : [[tool, found] as const];
    }),
  );

/** What the model has seen of our tools in one run. */
export interface Sighting {
  /** The tool of each step as the host named it; steps that it did not offer are missing. */
  readonly offered: ReadonlyMap<string, ToolName>;
  /** The answers to the steps that it offered, in their order. */
  readonly results: readonly string[];
}

/** A tool of the host that brings in tools which it holds back at first. */
export interface Finder {
  readonly tool: string;
  readonly input: object;
}

export interface StepModel {
  decide(asked: Asked): Said;
  sighting(): Sighting;
  /** Every step that was offered has its answer. */
  isDone(): boolean;
}

/** A model that calls the tool of each step once, in order, and then is done. Knows where it is by the answers so far. */
export function createStepModel(find: FindTool, finder?: Finder): StepModel {
  let seen: Sighting = { offered: new Map(), results: [] };
  const plan = () => STEPS.filter(({ tool }) => seen.offered.has(tool));
  return {
    sighting: () => seen,
    isDone: () => seen.results.length > 0 && seen.results.length >= plan().length,
    decide({ tools, text, results }) {
      if (!text.includes(REQUEST) || tools.length === 0) return { text: 'Hello.' };
      const id = `call_${results.length + 1}`;
      if (finder !== undefined && results.length === 0) return { call: { name: finder.tool }, input: finder.input, id };
      const offered = findOffered(tools, find);
      const own = finder === undefined ? results : results.slice(1);
      // A host may ask again with a shorter conversation: the fullest one counts.
      if (own.length >= seen.results.length) seen = { offered, results: own };
      const step = plan()[own.length];
      const call = step && offered.get(step.tool);
      if (step === undefined || call === undefined) return { text: 'It tastes of spring.' };
      return { call, input: step.input, id };
    },
  };
}

/** What is wrong with what the model saw, one sentence each; nothing when every tool was there and answered. */
export function judgeSighting({ offered, results }: Sighting): readonly string[] {
  const missing = STEPS.filter(({ tool }) => !offered.has(tool)).map(({ tool }) => tool);
  if (missing.length === STEPS.length) return ['it offered its model none of our tools'];
  const wrong = STEPS.filter(({ tool }) => offered.has(tool)).flatMap(({ tool, expected }, index) => {
    const result = results[index];
    if (result === undefined) return [`${tool} was never answered`];
    return result.includes(expected) ? [] : [`${tool} answered: ${shorten(result)}`];
  });
  return [...(missing.length === 0 ? [] : [`it did not offer ${missing.join(', ')}`]), ...wrong];
}

const shorten = (text: string): string => JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
