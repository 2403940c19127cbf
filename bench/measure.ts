// What a measure is: a function from the bench's means to rows. It throws, in a sentence, when it cannot measure.
import { fileURLToPath } from 'node:url';
import type { Corpus } from './corpus.ts';
import type { Row } from './row.ts';
import { StdioClient } from './stdio-client.ts';
import type { Box, Workshop } from './workshop.ts';

export interface MeasureContext {
  readonly workshop: Workshop;
  readonly corpora: readonly Corpus[];
  readonly rounds: number;
  /** Sequential calls per round of `read`. */
  readonly calls: number;
  /** Invocations in the log that `store` asks questions about. */
  readonly loggedRows: number;
  readonly progress: (text: string) => void;
}

export type Measure = (context: MeasureContext) => Promise<readonly Row[]>;

export const programPath = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

const replayPath = fileURLToPath(new URL('./floors/replay.mjs', import.meta.url));

/** Starts the built program on a root, as a host would; whatever happens in `use`, it is stopped after it. */
export function withServer<T>(workshop: Workshop, root: string, use: (client: StdioClient) => Promise<T>): Promise<T> {
  return withServerIn(workshop.createBox(), root, use);
}

/** The same in a box that was used before: what an earlier start remembered is there. */
export const withServerIn = <T>(box: Box, root: string, use: (client: StdioClient) => Promise<T>): Promise<T> =>
  withClient([programPath, 'mcp', '--root', root], box, use);

/** Starts the floor that answers from a file of recorded results; see recorded.ts. */
export function withReplay<T>(workshop: Workshop, file: string, use: (client: StdioClient) => Promise<T>): Promise<T> {
  return withClient([replayPath, file], workshop.createBox(), use);
}

async function withClient<T>(args: readonly string[], box: Box, use: (client: StdioClient) => Promise<T>): Promise<T> {
  const client = new StdioClient(args, box);
  try {
    return await use(client);
  } finally {
    await client.stop();
  }
}
