// Whether other processes on the same store listen, too: what only they could want is not said where there are none (N3).
import type { Bus } from './bus.ts';

export interface Peers {
  /** Some were heard of since the start; one that has ended since may be among them. */
  readonly has: () => boolean;
  /** Called when the first is heard of. */
  readonly onFirst: (listener: () => void) => void;
  /** Called when one has started, or may have missed something: tell it what it should know. */
  readonly onNewcomer: (listener: () => void) => void;
  readonly close: () => void;
}

const TOPIC = 'peers';

export function createPeers(bus: Bus): Peers {
  const firsts = new Set<() => void>();
  const newcomers = new Set<() => void>();
  let has = false;
  const stops = [
    bus.subscribe(TOPIC, ({ asks }, isOwn) => {
      if (isOwn) return;
      const isFirst = !has;
      has = true;
      if (isFirst) for (const listener of firsts) listener();
      if (asks !== true) return;
      bus.publish(TOPIC, { asks: false });
      for (const listener of newcomers) listener();
    }),
    // Also the first time that anything can be heard.
    bus.onGap(() => bus.publish(TOPIC, { asks: true })),
  ];
  return {
    has: () => has,
    onFirst: (listener) => void firsts.add(listener),
    onNewcomer: (listener) => void newcomers.add(listener),
    close: () => {
      for (const stop of stops) stop();
    },
  };
}
