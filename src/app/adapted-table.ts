// A server whose clients can ask more than ours: for the fixture of the conformance suite, which has to have tools and prompts
// that no skill could be. No part of the public interface.
import type { MethodTable } from '../surfaces/mcp/wire/method.ts';

export type AdaptTable = (table: MethodTable) => MethodTable;

const adaptions = new WeakMap<object, AdaptTable>();

/** The same options: a server that is started with them has that table. */
export function withAdaption<Options extends object>(options: Options, adapt: AdaptTable): Options {
  adaptions.set(options, adapt);
  return options;
}

export const findAdaption = (options: object): AdaptTable | undefined => adaptions.get(options);
