// A pause. Not from node:timers/promises: that is one more module to load before the first answer.

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
