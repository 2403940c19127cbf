// Copies of skills as people make them: renamed, with another description, sections in another order, sections added.
import { type Random, wholeNumber } from '../random.ts';
import type { PublicSkill } from './public-texts.ts';

export const EDITS = ['description', 'order', 'added', 'renamed', 'all'] as const;

export type Edit = (typeof EDITS)[number];

/** `others`: where added sections and other descriptions come from. */
export function plantCopy(skill: PublicSkill, edit: Edit, others: readonly PublicSkill[], random: Random): PublicSkill {
  const isAll = edit === 'all';
  let { name, description, body } = skill;
  if (isAll || edit === 'description') description = reword(description, random);
  if (isAll || edit === 'order') body = shuffled(sectionsOf(body), random).join('');
  if (isAll || edit === 'added') body += addedSections(body.length, others, random);
  if (isAll || edit === 'renamed') {
    const renamed = `team-${wholeNumber(random, 1_000)}-helper`;
    body = body.replaceAll(name, renamed);
    name = renamed;
  }
  return { id: `${skill.id}#${edit}`, name, description, body };
}

/** Another order, and every third word another one. */
const reword = (text: string, random: Random): string =>
  shuffled(text.split(/\s+/), random)
    .map((word, at) => (at % 3 === 0 ? 'otherwise' : word))
    .join(' ');

const sectionsOf = (body: string): readonly string[] => body.split(/^(?=#{1,6} )/m);

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const all = [...values];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = wholeNumber(random, at + 1);
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

/** Of another skill, up to half as long as the text itself. */
function addedSections(length: number, others: readonly PublicSkill[], random: Random): string {
  const { body } = others[wholeNumber(random, others.length)] as PublicSkill;
  return `\n## Notes of our team\n\n${body.slice(0, Math.floor(length / 2))}\n`;
}
