// The method resources/directory/read: what lies directly in a folder of the skill:// tree (R2).

import type { DirectoryChild } from '../../../catalog/view/directory-children.ts';
import { parseSkillUri } from '../../../document/skill-uri.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { listText } from '../../../text/list-text.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { ok } from '../../../values/result.ts';
import { invalidParams } from '../wire/json-rpc.ts';
import type { Method } from '../wire/method.ts';

const PAGE_SIZE = 1_000;

export const readDirectory = (repertoire: Repertoire): Method => {
  return ({ uri, cursor }) => {
    if (typeof uri !== 'string') return invalidParams('Invalid params: uri must be a string');
    if (cursor !== undefined && typeof cursor !== 'string')
      return invalidParams('Invalid params: cursor must be a string');
    const segments = parseSkillUri(uri);
    const children = segments.ok ? repertoire.listDirectory(segments.value) : undefined;
    if (children === undefined) return invalidParams(`Not a directory: ${listText(uri, 200)}`);
    const page = pageAfter(children, cursor);
    return page ? ok(page) : invalidParams('Invalid params: unknown cursor');
  };
};

/** A cursor is the URI of the last child of the page before, so it stays right when others come or go. */
function pageAfter(children: readonly DirectoryChild[], cursor: string | undefined): JsonObject | undefined {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor !== undefined && !after.startsWith('skill://')) return undefined;
  const rest = children.filter((child) => child.uri > after);
  const resources = rest.slice(0, PAGE_SIZE);
  const last = resources.at(-1);
  if (last === undefined || rest.length <= PAGE_SIZE) return { resources };
  return { resources, nextCursor: Buffer.from(last.uri).toString('base64url') };
}
