// The fields that the built-in skills take, with their limits (B1, B5).
import { type ZodType, z } from 'zod';
import { secret } from '../../skills/define/secret.ts';
import { nounFor } from '../../text/counted.ts';
import { TASK_STATUSES } from '../ports/task-store.ts';

export interface TextLimits {
  readonly min?: number;
  readonly max: number;
}

/**
 * Its length is counted in Unicode code points, as it was given (B5); zod itself counts UTF-16 units. A text that is too long
 * is not looked at any further: what follows may take long for it.
 */
export const limitedText = ({ min = 0, max }: TextLimits) =>
  z
    .string()
    .refine((text) => text.length <= max || (text.length <= 2 * max && [...text].length <= max), {
      error: `must have at most ${max} characters`,
      abort: true,
    })
    .refine((text) => [...text].length >= min, { error: `must have at least ${min} ${nounFor(min, 'character')}` })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });

/** Any 8-4-4-4-12 hexadecimal digits, compared without letter case. z.uuid() would refuse versions that it does not know. */
export const idField = z
  .guid({ error: ({ code }) => (code === 'invalid_format' ? 'must be 8-4-4-4-12 hexadecimal digits' : undefined) })
  .toLowerCase();

/** May be left out. `null` means the same (B5). */
export const optionalField = <S extends ZodType>(schema: S) =>
  schema.nullish().transform((given) => given ?? undefined);

/** With the value that it has then. */
export const defaultingField = <S extends ZodType, const V>(schema: S, value: V) =>
  schema
    .nullish()
    .meta({ default: value })
    .transform((given) => given ?? value);

/** The length counts before the trim. */
export const titleField = limitedText({ min: 1, max: 200 })
  .trim()
  .refine((title) => title !== '', { error: 'must not be blank' });

export const descriptionField = limitedText({ max: 2_000 });

export const statusField = z.enum(TASK_STATUSES);

export const priorityField = z.int().min(1).max(5);

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** With a zone. The offset of a date at the very edge leads out of the years that can be written with four digits. */
export const dueDateField = z.iso
  .datetime({
    offset: true,
    // What is no date lies in no year.
    abort: true,
    error: ({ code }) =>
      code === 'invalid_format' ? 'must be a date and time with a zone, as 2026-01-31T09:30:00Z' : undefined,
  })
  .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST, {
    error: 'must be in the years 1 to 9999',
  });

/** The same password typed on another keyboard is the same text. */
export const passwordField = (limits: { readonly min: number; readonly max: number }) =>
  secret(limitedText(limits).normalize('NFC'));

const MOST_SCOPES = 256;

const scopeField = limitedText({ min: 1, max: 256 }).regex(/^\P{Cc}*$/u, { error: 'must not have control characters' });

export const scopesField = z.array(scopeField).max(MOST_SCOPES, { error: `must have at most ${MOST_SCOPES} entries` });
