// One page of skills, as the methods that list them are asked for it: the first, or the one behind a cursor of ours.
import type { Page } from '../../../catalog/view/page.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { ok, type Result } from '../../../values/result.ts';
import { invalidParams } from '../wire/json-rpc.ts';
import type { RpcError } from '../wire/method.ts';

/** `cursor`: as it came. */
export function findPage(
  repertoire: Repertoire,
  skills: readonly Skill[],
  cursor: unknown,
  size: number,
): Result<Page, RpcError> {
  if (cursor !== undefined && typeof cursor !== 'string')
    return invalidParams('Invalid params: cursor must be a string');
  const page = repertoire.page(skills, cursor, size);
  return page === undefined ? invalidParams('Invalid params: unknown cursor') : ok(page);
}
