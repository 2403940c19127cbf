// One page of a list of skills. A cursor names the last skill of the page before, so it stays right when others come or go.
import { compareCodePoints } from '../../document/names.ts';
import type { Skill } from './skill.ts';

/**
 * Some of a list of skills, and the cursor of what follows.
 *
 * @example
 * const page = repertoire.page(repertoire.named(), undefined, 2);
 * const next = repertoire.page(repertoire.named(), page?.nextCursor, 2);
 */
export interface Page {
  readonly skills: readonly Skill[];
  readonly nextCursor: string | undefined;
}

/** `skills`: as a snapshot orders them. `undefined`: the cursor is none of ours. */
export function pageOf(skills: readonly Skill[], cursor: string | undefined, limit: number): Page | undefined {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  const start = after === undefined ? 0 : firstAfter(skills, after);
  const page = skills.slice(start, start + limit);
  const last = page.at(-1);
  const isLastPage = last === undefined || start + limit >= skills.length;
  return { skills: page, nextCursor: isLastPage ? undefined : createCursor(last) };
}

type Position = readonly [name: string, uri: string];

const positionOf = (skill: Skill): Position => [skill.key, skill.uri];

const createCursor = (skill: Skill): string => Buffer.from(JSON.stringify(positionOf(skill))).toString('base64url');

function parseCursor(cursor: string): Position | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(value) || value.length !== 2 || value.some((part) => typeof part !== 'string')) return undefined;
    return [value[0], value[1]];
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** By halving: pages stay cheap at 10,000 skills. */
function firstAfter(skills: readonly Skill[], [name, uri]: Position): number {
  let low = 0;
  let high = skills.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [middleName, middleUri] = positionOf(skills[middle] as Skill);
    const order = compareCodePoints(middleName, name) || compareCodePoints(middleUri, uri);
    if (order <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
