// The fields of a task as the built-in skills take them, with their limits (B1, B5).
import { z } from 'zod';
import { TASK_STATUSES } from '../ports/task-store.ts';
import { limitedText } from './limited-text.ts';

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
    error: 'must lie in the years 1 to 9999',
  });
