// What a protocol era decides about a request: who is calling, which method answers, how its result is dressed.

import type { ClientInfo } from '../../../identity/client-info.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { Result } from '../../../values/result.ts';
import type { Request } from './json-rpc.ts';
import type { AnyResult, Era, Method, RpcError } from './method.ts';

export interface EraRules {
  readonly era: Era;
  /** Of the protocol; absent: it is not agreed on yet. */
  readonly version: string | undefined;
  /** The caller, or why this request cannot be served. */
  identify(request: Request): Result<ClientInfo, RpcError>;
  find(method: string): Method | undefined;
  /** Adds the fields that the era wants on every result. */
  dress(method: string, result: AnyResult): AnyResult;
}

/** A client may stay unnamed; what it says of itself must have the right types. */
export function parseClientInfo(info: unknown, capabilities: JsonObject): ClientInfo | undefined {
  if (info === undefined) return { name: 'unknown', version: '', capabilities };
  if (!isRecord(info) || typeof info.name !== 'string' || typeof info.version !== 'string') return undefined;
  return { name: info.name, version: info.version, capabilities };
}
