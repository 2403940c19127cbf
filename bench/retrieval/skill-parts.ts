// The hand-written part of every skill, read from skills/*.txt. The format is described in README.md.
import { loadTextFiles } from './text-files.ts';

export interface SkillPart {
  readonly name: string;
  readonly description: string;
  /** What this skill alone says: the body's decisive sentences. */
  readonly points: readonly string[];
  readonly example: string | undefined;
  readonly area: Area;
}

interface Area {
  readonly name: string;
  /** Sentences that all skills of the area draw from. */
  readonly shared: readonly string[];
  readonly skills: readonly Sibling[];
}

interface Sibling {
  readonly name: string;
  readonly summary: string;
}

export const loadSkillParts = (): readonly SkillPart[] =>
  loadTextFiles('skills').flatMap(({ text }) => text.split(/^@ /m).slice(1).flatMap(parseArea));

/** One area: its name, shared sentences (`: `), then its skills (`= `). */
export function parseArea(text: string): readonly SkillPart[] {
  const [head = '', ...skills] = text.split(/^= /m);
  const area: Area = {
    name: head.split('\n', 1)[0]?.trim() ?? '',
    shared: marked(head, ': '),
    skills: skills.map(parseSibling),
  };
  return skills.map((skill) => parseSkill(skill, area));
}

function parseSibling(text: string): Sibling {
  const [name = '', summary = ''] = text.split('\n');
  return { name: name.trim(), summary: summary.trim() };
}

function parseSkill(text: string, area: Area): SkillPart {
  const { name, summary } = parseSibling(text);
  return {
    name,
    description: [summary, ...marked(text, '+ ')].join(' '),
    points: marked(text, '- '),
    example: marked(text, '$ ')[0],
    area,
  };
}

const marked = (text: string, mark: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => line.slice(mark.length).trim());
