// A number of things in a message: `1 character`, `2 characters`. Pure.

export const countText = (count: unknown, thing: string): string =>
  `${count} ${thing}${Number(count) === 1 ? '' : 's'}`;
