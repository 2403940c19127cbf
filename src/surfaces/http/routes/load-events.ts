// Loads as they happen, for live views. Costs nothing while nobody listens.
import type { LoadNote, NoteLoad } from '../../../repertoire/load-log.ts';

export interface LoadEvents {
  readonly note: NoteLoad;
  /** Answers the function that ends the subscription. Listeners never throw. */
  readonly subscribe: (listener: NoteLoad) => () => void;
}

export function createLoadEvents(): LoadEvents {
  const listeners = new Set<NoteLoad>();
  return {
    note: (load: LoadNote) => {
      for (const listener of listeners) listener(load);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
