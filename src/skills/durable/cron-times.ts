// The times of a cron in a timezone, over the days on which its clocks change (J7): each time of the clock runs once. croner knows
// that of a single minute and hour alone; of a list it leaves out what does not exist, and runs twice what comes twice.
import { Cron } from 'croner';

/** The first of its times after that moment; `undefined`: there is none any more. */
export type NextAfter = (moment: Date) => Date | undefined;

/** Throws what is wrong with the cron or the timezone. */
export function parseCron(cron: string, timezone: string): NextAfter {
  const inZone = patternOf(cron, timezone);
  // A run for each hour that passes: none is left out, and the one that comes twice has two.
  if (isForEveryHour(cron)) return (moment) => inZone.nextRun(moment) ?? undefined;
  const onClock = patternOf(cron, 'UTC');
  const offsetAt = createOffsets(timezone);
  return (moment) => {
    // What the clock shows, written as if it were UTC. A time that was left out, or comes again, may be as far back as the clock leaps.
    let shown: Date | null = new Date(moment.getTime() + offsetAt(moment.getTime()) - LONGEST_LEAP_MS);
    for (;;) {
      shown = onClock.nextRun(shown);
      if (shown === null) return undefined;
      const at = momentOf(shown.getTime(), offsetAt);
      if (at > moment.getTime()) return new Date(at);
    }
  };
}

const LONGEST_LEAP_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const patternOf = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, paused: true, mode: '5-part' });

/** Whatever the day: of its fields, that of the hour. */
function isForEveryHour(cron: string): boolean {
  const [, hour] = cron.trim().split(/\s+/);
  if (hour === undefined) return cron.trim().toLowerCase() === '@hourly';
  const hours = patternOf(`0 ${hour} * * *`, 'UTC').nextRuns(24, new Date(-1));
  return hours.every((at, index) => at.getTime() === index * 3_600_000);
}

type OffsetAt = (moment: number) => number;

/** How far a timezone's clock is ahead of UTC, in milliseconds. */
function createOffsets(timezone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (moment) => {
    const part = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const at = (name: Intl.DateTimeFormatPartTypes): number => part.get(name) ?? 0;
    const shown = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
    return shown - Math.floor(moment / 1_000) * 1_000;
  };
}

/** When the clock shows that: the first time where it does so twice; where it leaps over it, when it has leapt. */
function momentOf(shown: number, offsetAt: OffsetAt): number {
  const [before, after] = [offsetAt(shown - DAY_MS), offsetAt(shown + DAY_MS)];
  const found = [before, after].map((offset) => shown - offset).filter((at) => at + offsetAt(at) === shown);
  return found.length > 0 ? Math.min(...found) : leapBetween(shown - DAY_MS, shown + DAY_MS, offsetAt);
}

/** The first minute at which the clock goes as it does at the end. */
function leapBetween(from: number, to: number, offsetAt: OffsetAt): number {
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  const last = offsetAt(high * MINUTE_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE_MS) === last) high = middle;
    else low = middle;
  }
  return high * MINUTE_MS;
}
