// The parameters that several operations take, each with the sentence that says what to send.
import { z } from 'zod';

interface Range {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

/** Only digits: `1e2`, ` 5` and an empty text are no numbers here. */
const toNumber = (text: unknown): unknown => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text);

export const limitParameter = ({ least, most, usual }: Range) => {
  const message = `must be a whole number from ${least} to ${most}`;
  const number = z.int(message).min(least, message).max(most, message);
  return z.preprocess(toNumber, number).default(usual).describe('At most so many');
};

const FLAGS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Off unless it is sent. */
export const flagParameter = (description: string) =>
  z
    .preprocess((text) => FLAGS.get(text) ?? text, z.boolean('must be true or false'))
    .default(false)
    .describe(description);

export const cursorParameter = z
  .string()
  .min(1, 'must be next_cursor of the page before')
  .max(4_000, 'must be next_cursor of the page before')
  .optional()
  .describe('`next_cursor` of the page before, exactly as it came; leave it out for the first page');

/** A name or a few words: bounded, and nothing that a database would refuse. */
const textParameter = (longest: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(longest, `must have at most ${longest} characters`)
    // Not as a pattern: what reads the description may not know Unicode classes.
    .refine((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), 'must not hold control characters');

export const filterParameter = (description: string) => textParameter(256).optional().describe(description);

const DURATION = /^[1-9]\d{0,4}[mhd]$/;

const MOMENT =
  'must be a date-time with a zone (2026-01-31T12:00:00Z) or a duration before now: a number and m, h or d (12h)';

/** `+` of an offset arrives as a blank from clients that do not encode it. */
const withPlus = (text: unknown): unknown => (typeof text === 'string' ? text.replace(/ (\d\d:\d\d)$/, '+$1') : text);

export const momentParameter = (description: string) =>
  z
    .preprocess(
      withPlus,
      z.union([z.iso.datetime({ offset: true, error: MOMENT }), z.string().regex(DURATION, MOMENT)], { error: MOMENT }),
    )
    .optional()
    .describe(`${description}: a date-time with a zone, or a duration before now (\`12h\`)`);

export const durationText = z.string().regex(DURATION, 'must be a number and m, h or d (30m, 24h, 7d)');

export const windowParameter = durationText.default('1h').describe('How far back: a number and `m`, `h` or `d`');

export const correlationIdParameter = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be 8-4-4-4-12 hexadecimal digits')
  .optional()
  .describe('Everything that belongs to one request');

/** For operations without a query: whatever comes in it is refused. */
export const NO_QUERY = z.object({});
