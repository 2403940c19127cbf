// Which time is believed when old records are deleted, wherever the clock stands (F12).
import { expect, test } from 'vitest';
import { judgeClock } from './believed-clock.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const NOW = 20_000 * DAY;

/** The time that is believed after each look. */
function believedAfter(looks: readonly number[], believed: number | undefined = NOW): readonly number[] {
  let state: ReturnType<typeof judgeClock> | { believed: number | undefined; claimed: undefined } = {
    believed,
    claimed: undefined,
  };
  return looks.map((look) => {
    state = judgeClock(state, look, DAY);
    return state.believed as number;
  });
}

test('a clock that goes on is believed, also after a night (A9)', () => {
  const looks = [NOW + HOUR, NOW + 2 * HOUR, NOW + 20 * HOUR, NOW + 43 * HOUR];
  expect(believedAfter(looks)).toEqual(looks);
});

test('without records any clock is believed (A9)', () => {
  expect(judgeClock({ believed: undefined, claimed: undefined }, NOW, DAY)).toEqual({
    believed: NOW,
    claimed: undefined,
  });
});

test('a leap is not believed, however often it is looked at on that day (A9)', () => {
  const looks = Array.from({ length: 24 }, (_, hour) => NOW + 40 * DAY + hour * HOUR);
  expect(new Set(believedAfter(looks))).toEqual(new Set([NOW]));
});

test('a leap that stays for a day is believed (A9)', () => {
  expect(believedAfter([NOW + 40 * DAY, NOW + 41 * DAY])).toEqual([NOW, NOW + 41 * DAY]);
});

test('a second leap proves nothing: it has to stay for a day itself (A9)', () => {
  const looks = [3_650, 3_653, 3_653.5, 3_654].map((days) => NOW + days * DAY);
  expect(believedAfter(looks)).toEqual([NOW, NOW, NOW, NOW + 3_654 * DAY]);
});

test('a night between two looks is no second leap (A9)', () => {
  expect(believedAfter([NOW + 40 * DAY, NOW + 41.9 * DAY])).toEqual([NOW, NOW + 41.9 * DAY]);
});

test('a leap that is taken back leaves no claim behind (A9)', () => {
  const looks = [NOW + 40 * DAY, NOW + HOUR, NOW + 41 * DAY, NOW + 41.5 * DAY];
  expect(believedAfter(looks)).toEqual([NOW, NOW + HOUR, NOW + HOUR, NOW + HOUR]);
});

test('of two processes the one whose clock is right keeps the other from deleting (A9)', () => {
  const looks = Array.from({ length: 100 }, (_, hour) => [NOW + hour * HOUR, NOW + 40 * DAY + hour * HOUR]).flat();
  expect(Math.max(...believedAfter(looks))).toBe(NOW + 99 * HOUR);
});

test('a clock that goes back is believed at once: it makes every record younger (A9)', () => {
  expect(believedAfter([0, HOUR, NOW])).toEqual([0, HOUR, HOUR]);
});
