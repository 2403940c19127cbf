// How a method of ours refuses the parameters of a request, as the protocol wants it.
import { fail } from '../../../values/result.ts';
import { rpcCode } from '../wire/json-rpc.ts';
import type { Reply, RpcError } from '../wire/method.ts';

/** -32602 with a sentence that says what is wrong with the parameters. */
export function invalidParams(message: string, data?: unknown): Extract<Reply, { readonly ok: false }> {
  const error: RpcError = { code: rpcCode.invalidParams, message };
  return fail(data === undefined ? error : { ...error, data });
}
