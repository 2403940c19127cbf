// What this process announces in a transaction is told here when that is committed, before the writer goes on: whatever brings
// in the messages of others need not tell of it (N3).
import { type BusMessage, findAnnounced } from './event-table.ts';
import type { Sql, Steps } from './sql.ts';

export interface Announced {
  readonly message: BusMessage;
  /** Of its row, which comes in, too. */
  readonly id: number;
}

/** The same database; `tell` must not throw. */
export const tellOwnAnnouncements = <D extends Sql>(database: D, tell: (announced: Announced) => void): D => ({
  ...database,
  async write<T>(steps: () => Steps<T>): Promise<T> {
    let announced: readonly Announced[] = [];
    const value = await database.write(function* () {
      // The steps may be taken more than once.
      const taken: Announced[] = [];
      announced = taken;
      return yield* watchSteps(steps(), taken);
    });
    for (const each of announced) tell(each);
    return value;
  },
});

function* watchSteps<T>(steps: Steps<T>, announced: Announced[]): Steps<T> {
  let step = steps.next();
  while (!step.done) {
    const rows = yield step.value;
    const message = findAnnounced(step.value);
    if (message !== undefined) announced.push({ message, id: Number(rows[0]?.id) });
    step = steps.next(rows);
  }
  return step.value;
}
