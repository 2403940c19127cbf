// The words of a command line → the values of known options, or a sentence about what is wrong with them. Pure.
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Known = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Known> = ReturnType<typeof parseArgs<{ args: string[]; options: T }>>['values'];

export function readWords<const T extends Known>(words: readonly string[], options: T): Values<T> | string {
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    // The only way in which parseArgs says that the words are wrong.
    if (error instanceof TypeError) return `Cannot read the options: ${error.message}`;
    throw error;
  }
}
