// The skills whose names are nearest to one that does not exist. Pure.
import { normaliseName } from '../../document/names.ts';
import type { Skill } from './skill.ts';

/** The `count` nearest, in the order of `skills`. Shared letter pairs decide: cheap enough for 10,000 names. */
export function nearestSkills(skills: readonly Skill[], wanted: string, count: number): readonly Skill[] {
  const pairs = letterPairs(wanted.slice(0, MAX_WANTED));
  const scored = skills.map((skill, index) => ({ skill, index, score: similarity(pairs, letterPairs(skill.name)) }));
  return scored
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ skill }) => skill);
}

/** No name is longer, but a request may be. */
const MAX_WANTED = 200;

function letterPairs(name: string): ReadonlySet<string> {
  const text = ` ${normaliseName(name)} `;
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < text.length; index += 1) pairs.add(text.slice(index, index + 2));
  return pairs;
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
