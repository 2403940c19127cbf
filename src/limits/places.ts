// How many may be inside at a time, by name. Nothing ever queues here.
import { createQuota } from '../async/quota.ts';

export interface Places {
  /** False: all are taken. A promise only where others have to be asked first. */
  readonly enter: (name: string, most: number) => boolean | Promise<boolean>;
  /** What entered, leaves. */
  readonly leave: (name: string) => void;
}

/** For this process alone. */
export function createLocalPlaces(): Places {
  const taken = createQuota();
  return {
    enter: (name, most) => taken.take({ key: name, most }),
    leave: (name) => taken.give(name),
  };
}
