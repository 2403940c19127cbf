// How early an author wants a skill to be seen: `metadata.priority`, a number or the text of one.
import { isRecord } from '../values/is-record.ts';

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

/** Higher is earlier; 0 when nothing is said. The format wants texts below `metadata`, and many write numbers. */
export const priorityOf = ({ metadata }: Readonly<Record<string, unknown>>): number => {
  // Asked of every skill before the first answer: most have no such field.
  if (!isRecord(metadata)) return 0;
  const value = metadata.priority;
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
};
