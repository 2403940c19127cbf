// Messages in an embedded database: several processes on one file hear each other by looking whether it has changed (N3).
import { monotonicMs } from '../async/monotonic-clock.ts';
import { type BusInlet, createCleaning, createLooks, type InletParts } from './bus-inlet.ts';
import { selectLastId, selectMessagesAfter } from './event-table.ts';

export function createFileInlet({ database, hear, gap, onFault, rhythm }: InletParts): BusInlet {
  /** Undefined: nothing was read yet. */
  let lastId: number | undefined;
  let version: number | undefined;
  let readAt = 0;
  let wasAway = false;
  const clean = createCleaning(database);
  const readNew = async () => {
    const highest = await selectLastId(database);
    // Another file lies there now.
    if (lastId === undefined || highest < lastId) {
      const isFirst = lastId === undefined;
      lastId = highest;
      return gap(isFirst);
    }
    while (lastId < highest) {
      const messages = await selectMessagesAfter(database, lastId);
      for (const message of messages) hear(message);
      lastId = messages.at(-1)?.id ?? highest;
    }
  };
  const look = async (): Promise<number> => {
    const versionNow = database.version();
    // A number that comes again after the file was opened anew is not believed for long.
    if (versionNow === version && versionNow !== undefined && monotonicMs() - readAt < rhythm.quietMs) {
      return rhythm.fileMs;
    }
    try {
      await readNew();
      await clean();
    } catch (error) {
      wasAway = true;
      throw error;
    }
    if (wasAway) gap(false);
    wasAway = false;
    readAt = monotonicMs();
    // As it was before the rows were read: what came meanwhile is found in the next round. Own writes do not change it; what they announce is told.
    version = versionNow;
    return rhythm.fileMs;
  };
  const rounds = createLooks(look, onFault, rhythm.retryMs);
  return { start: rounds.start, close: rounds.close };
}
