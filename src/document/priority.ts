// How early an author wants a skill to be seen: `metadata.priority`, a number or the text of one.

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

/** Higher is earlier; 0 when nothing is said. The format wants texts below `metadata`, and many write numbers. */
export const priorityOf = ({ metadata }: Readonly<Record<string, unknown>>): number => {
  // Asked of every skill before the first answer: most have no such field.
  if (typeof metadata !== 'object' || metadata === null) return 0;
  const value: unknown = (metadata as Readonly<Record<string, unknown>>).priority;
  if (value === undefined) return 0;
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
};
