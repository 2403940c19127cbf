// Numbers that look random and are the same in every run, so that two runs measure the same skills.

/** 0 ≤ x < 1. */
export type Random = () => number;

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const wholeNumber = (random: Random, below: number): number => Math.floor(random() * below);
