// Words as a command line that a POSIX shell reads back: nothing in them is expanded, run or taken for a second word. Pure.

export const toShellLine = (words: readonly string[]): string => words.map(toShellWord).join(' ');

/** Nothing that a shell reads anything into. */
const PLAIN = /^[\w@%+=:,./-]+$/;

const toShellWord = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
