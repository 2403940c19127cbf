// An id of 8-4-4-4-12 hexadecimal digits, of any version and in any letter case.

export const UUID_PATTERN = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

export const isUuid = (text: string): boolean => UUID_PATTERN.test(text);

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first and the last id that begin with these digits, in lower case; `undefined`: no id begins so. */
export function uuidsFrom(beginning: string): readonly [first: string, last: string] | undefined {
  const digits = beginning.toLowerCase();
  const [first = '', last = ''] = [FIRST, LAST].map((end) => digits + end.slice(digits.length));
  return isUuid(first) ? [first, last] : undefined;
}
