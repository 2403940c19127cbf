// The stores of one test file, with its hooks: started before the first test, closed behind each, gone after the last.
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { createStoreWorld, type StoreWorld } from './store-world.ts';

/** Called at the top of a test file. Its functions work from the first hook on. */
export function useStoreWorld(): Omit<StoreWorld, 'end'> {
  let started: StoreWorld | undefined;
  beforeAll(() => {
    started = createStoreWorld({ url: inject('postgresUrl') });
  });
  afterEach(() => started?.closeAll());
  afterAll(() => started?.end());
  const world = (): StoreWorld => {
    if (started === undefined) throw new Error('The stores are not started yet: use them in a hook or a test');
    return started;
  };
  return {
    place: (kind) => world().place(kind),
    open: (place, options) => world().open(place, options),
    logs: (kind) => world().logs(kind),
    forgetOwners: (place) => world().forgetOwners(place),
    query: (place, text) => world().query(place, text),
    closeAll: () => world().closeAll(),
  };
}
