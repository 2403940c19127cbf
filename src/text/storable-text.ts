// Text that every database and JSON reader takes: NUL and halves of characters are replaced. Pure.

export const storableText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');

/** Every database takes it as it is. */
export const isStorable = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text);
