// What the processes of one store tell each other (N3). The store carries it between them (store/); here is the port, and a bus
// of one process. A message is a hint that something changed: what must not be lost is in a table.
import type { JsonObject } from '../values/json-object.ts';

export interface Bus {
  /** Told to every process, this one included: here at once. Never throws, never waits. */
  readonly publish: (topic: string, body: JsonObject, kind?: MessageKind) => void;
  /** Answers the function that ends the subscription. */
  readonly subscribe: (topic: string, listener: BusListener) => () => void;
  /** Called after a time in which messages of others may have been missed: look at the tables again. */
  readonly onGap: (listener: () => void) => () => void;
}

/**
 * `kept`, as it is without a word: carried again after an outage, and read later by a process that cannot hear now. `passing`:
 * worth nothing a few seconds later; what is lost of it is lost.
 */
export type MessageKind = 'kept' | 'passing';

/** `isOwn`: this process published it. One that throws does not affect the others. */
type BusListener = (body: JsonObject, isOwn: boolean) => void;

export interface LocalBus extends Bus {
  /** What another process published. */
  readonly deliver: (topic: string, body: JsonObject) => void;
  readonly gap: () => void;
}

/** `onFault`: a listener threw. */
export function createLocalBus(onFault: (error: unknown) => void): LocalBus {
  const byTopic = new Map<string, Set<BusListener>>();
  const gaps = new Set<() => void>();
  const call = (work: () => void) => {
    try {
      work();
    } catch (error) {
      onFault(error);
    }
  };
  const tell = (topic: string, body: JsonObject, isOwn: boolean) => {
    for (const listener of [...(byTopic.get(topic) ?? [])]) call(() => listener(body, isOwn));
  };
  return {
    publish: (topic, body) => tell(topic, body, true),
    deliver: (topic, body) => tell(topic, body, false),
    subscribe: (topic, listener) => {
      // Wrapped: the same function may listen twice.
      const own: BusListener = (body, isOwn) => listener(body, isOwn);
      const listeners = byTopic.get(topic) ?? new Set();
      byTopic.set(topic, listeners.add(own));
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && byTopic.get(topic) === listeners) byTopic.delete(topic);
      };
    },
    onGap: (listener) => {
      const own = () => listener();
      gaps.add(own);
      return () => void gaps.delete(own);
    },
    gap: () => {
      for (const listener of [...gaps]) call(listener);
    },
  };
}
