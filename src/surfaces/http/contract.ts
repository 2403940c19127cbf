// Every operation of the API by its id. OPERATIONS are routed and validated; with those of the door they are described.
import type { z } from 'zod';
import { dashboardOperations } from './contract/dashboard.ts';
import { documentOperations } from './contract/documents.ts';
import { logOperations } from './contract/log.ts';
import { openAiOperations } from './contract/openai.ts';
import { doorOperations, serviceOperations } from './contract/service.ts';
import { typedSkillOperations } from './contract/typed-skills.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

export const OPERATIONS = {
  ...documentOperations,
  ...typedSkillOperations,
  ...logOperations,
  ...openAiOperations,
  ...dashboardOperations,
  ...serviceOperations,
};

export const DESCRIBED_OPERATIONS = { ...OPERATIONS, ...doorOperations };

export type OperationId = keyof typeof OPERATIONS;

/** One request that fits an operation. */
export interface ApiCall<Query> {
  readonly exchange: Exchange;
  /** The varying parts of the path, decoded, in their order; `{path}` as a path with `/`. */
  readonly parts: readonly string[];
  readonly query: Query;
}

export type Handler<Query> = (call: ApiCall<Query>) => Reply | Promise<Reply>;

/** One handler for each operation: the compiler misses whichever is not there. */
export type Handlers = {
  readonly [Id in OperationId]: Handler<z.output<(typeof OPERATIONS)[Id]['query']>>;
};
