// Text that every database and JSON reader takes: NUL and halves of characters are replaced. Pure.

export const storableText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
