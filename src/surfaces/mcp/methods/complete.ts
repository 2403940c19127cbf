// The method completion/complete: paths for the resource template.

import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { ok } from '../../../values/result.ts';
import { invalidParams } from '../wire/json-rpc.ts';
import type { Method } from '../wire/method.ts';
import { SKILL_TEMPLATE } from './resources.ts';

const MAX_VALUES = 100;

export const complete = (repertoire: Repertoire): Method => {
  return ({ ref, argument }) => {
    if (!isRecord(ref) || !isRecord(argument)) return invalidParams('Invalid params: ref and argument must be objects');
    const { name, value } = argument;
    if (typeof name !== 'string' || typeof value !== 'string')
      return invalidParams('Invalid params: argument must have a name and a value');
    if (ref.type === 'ref/prompt') {
      return typeof ref.name === 'string' && repertoire.snapshot.findByName(ref.name)
        ? ok({ completion: { values: [], total: 0, hasMore: false } })
        : invalidParams('Invalid params: unknown prompt');
    }
    if (ref.type !== 'ref/resource' || ref.uri !== SKILL_TEMPLATE.uriTemplate)
      return invalidParams('Invalid params: unknown reference');
    if (name !== 'path') return invalidParams('Invalid params: unknown argument');
    return ok({ completion: pathsStartingWith(repertoire, value) });
  };
};

function pathsStartingWith(repertoire: Repertoire, value: string): JsonObject {
  const wanted = value.toLowerCase();
  const paths = repertoire.snapshot.skills.map(({ uri }) => uri.slice('skill://'.length));
  const matching = paths.filter((path) => path.toLowerCase().startsWith(wanted));
  return { values: matching.slice(0, MAX_VALUES), total: matching.length, hasMore: matching.length > MAX_VALUES };
}
