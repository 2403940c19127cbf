// A text as one word of a shell's command line: nothing in it is expanded, run or taken for a second word. Pure.

export const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Nothing that a shell reads anything into, wherever it stands but first. */
const PLAIN = /^[\w@%+:,./-]+$/;
