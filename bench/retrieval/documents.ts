// The skills that are searched: hand-written parts, dressed as whole documents. The same ones in every run.
import { createRandom, type Random, wholeNumber } from '../random.ts';
import { sharedSections } from './boilerplate.ts';
import { hashOf } from './hash.ts';
import { loadSkillParts, type SkillPart } from './skill-parts.ts';

export interface SkillDocument {
  readonly name: string;
  readonly description: string;
  /** Markdown without frontmatter. */
  readonly body: string;
}

export const loadDocuments = (): readonly SkillDocument[] => loadSkillParts().map(createDocument);

/** What varies between documents depends on the skill's name only, so that a new skill leaves the others as they are. */
export function createDocument(part: SkillPart): SkillDocument {
  const random = createRandom(hashOf(part.name));
  const [intro = '', ...notes] = shuffled(part.area.shared, random);
  const paragraphs = [
    `# ${titleOf(part.name)}`,
    intro,
    `## ${pick(stepHeadings, random)}`,
    steps(part.points, random),
    ...(part.example === undefined ? [] : ['## Example', `\`\`\`sh\n${part.example}\n\`\`\``]),
    '## Notes',
    notes.slice(0, 1 + wholeNumber(random, notes.length)).join(' '),
    ...boilerplate(random),
    ...otherSkills(part, random),
  ];
  return { name: part.name, description: part.description, body: `${paragraphs.join('\n\n')}\n` };
}

const stepHeadings = ['Steps', 'How to', 'Instructions', 'Workflow', 'Method'] as const;

const steps = (points: readonly string[], random: Random): string =>
  random() < 0.3
    ? points.join('\n\n')
    : points.map((point, index) => (random() < 0.5 ? `${index + 1}. ${point}` : `- ${point}`)).join('\n');

const boilerplate = (random: Random): readonly string[] =>
  shuffled(sharedSections, random)
    .slice(0, 1 + wholeNumber(random, 6))
    .flatMap(({ heading, text }) => [`## ${heading}`, text]);

/** Siblings that speak of each other: what makes a body match a query which it does not answer. */
function otherSkills({ name, area }: SkillPart, random: Random): readonly string[] {
  if (random() < 0.4) return [];
  const others = shuffled(
    area.skills.filter((each) => each.name !== name),
    random,
  ).slice(0, 2);
  return ['## When not to use', others.map((other) => `- ${other.summary} See \`${other.name}\`.`).join('\n')];
}

const titleOf = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

const pick = <T>(items: readonly [T, ...T[]], random: Random): T =>
  items[wholeNumber(random, items.length)] ?? items[0];
