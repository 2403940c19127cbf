// The fields that several operations take, each with what to send in words.
import { isStorable } from '../text/storable-text.ts';
import { DURATION, durationMs } from '../values/duration-ms.ts';
import { UUID_PATTERN } from '../values/uuid.ts';
import { Shape, text } from './shape.ts';

/** For texts that a database is asked for, or keeps as they are. */
export const unstorable = (value: string): string | undefined =>
  isStorable(value) ? undefined : 'must not hold NUL or halves of characters';

/** A name or a few words: bounded, and nothing that a database would refuse. */
export const filter = (description: string): Shape<string | undefined> =>
  text({
    least: 1,
    most: 256,
    fault: (value) => (/[\p{Cc}\p{Surrogate}]/u.test(value) ? 'must not hold control characters' : undefined),
  })
    .about(description)
    .optional();

export const duration = text({ pattern: DURATION, wanted: 'a number from 1 to 99999 and m, h or d (90m, 12h, 7d)' });

export const window = duration.usual('1h').about('How far back: a number and `m`, `h` or `d`');

/** `+` of an offset arrives as a blank from clients that do not encode it. */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+ -](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Days that their month does not have would be read as days of the next. */
function isDateTime(given: string): boolean {
  const [, year, month, day] = DATE_TIME.exec(given) ?? [];
  if (day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

const BAD_MOMENT =
  'must be a date-time with a zone (2026-01-31T12:00:00Z) or a duration before now: a number from 1 and m, h or d (12h)';

const DATE_TIME_OR_AGE = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', pattern: DURATION.source },
  ],
};

const moment = text({ fault: (value) => (DURATION.test(value) || isDateTime(value) ? undefined : BAD_MOMENT) });

export const momentOrAge = (description: string): Shape<string | undefined> =>
  new Shape<string>(DATE_TIME_OR_AGE, moment.faultsIn)
    .about(`${description}: a date-time with a zone, or a duration before now (\`12h\`)`)
    .optional();

/** What `momentOrAge` lets through. */
export function momentOf(given: string | undefined, now: Date): Date | undefined {
  if (given === undefined) return undefined;
  if (DURATION.test(given)) return new Date(now.getTime() - durationMs(given));
  return new Date(given.replace(/ (\d\d:\d\d)$/, '+$1'));
}

export const correlationFilter = text({ pattern: UUID_PATTERN, wanted: '8-4-4-4-12 hexadecimal digits' })
  .about('Everything that belongs to one request')
  .optional();
