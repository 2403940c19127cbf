// A command that advice names, as it works on this machine: the program as it is started here, and where this run looks. Pure.

import { toShellLine } from '../../text/shell-line.ts';
import type { CommandContext } from './command.ts';
import { commands, statusCommand } from './commands.ts';
import { type OptionName, optionSpec } from './options.ts';

type Asked = Pick<CommandContext, 'program' | 'values'> & Partial<Pick<CommandContext, 'flags'>>;

/** Where skills and the store are: without these another run looks elsewhere. */
const PLACES: readonly OptionName[] = ['root', 'default-roots', 'project', 'config', 'data', 'database-url'];

/** What may hold a password is named, not repeated. */
const UNSHOWN: ReadonlySet<OptionName> = new Set(['database-url']);

/**
 * What a person types here to run this program with `words`, the name of a command first; with none, the status screen. It
 * looks where this run looks: the options that say where are repeated as they were given, if that command takes them.
 *
 * @example
 * `Cannot revoke agent "x": there is no such agent; see ${hintLine(context, ['agent', 'list'])}`
 */
export function hintLine({ program, flags, values }: Asked, words: readonly string[]): string {
  const { options } = commands.get(words[0] ?? '') ?? statusCommand;
  const places = PLACES.filter((name) => options.includes(name) && !words.includes(`--${name}`));
  return toShellLine([...program(), ...words, ...places.flatMap(given)]);

  function given(name: OptionName): readonly string[] {
    if (flags?.has(name)) return [`--${name}`];
    const texts = values.get(name) ?? [];
    return texts.flatMap((text) => [`--${name}`, UNSHOWN.has(name) ? (optionSpec(name).value ?? '') : text]);
  }
}

/** Not every part knows how this program is started: what a sentence says in `…` of running it, as it is typed here. */
export const inOwnWords = (context: Asked, sentence: string): string =>
  sentence.replace(/`repertoire ([^`]+)`/g, (_, words: string) => `\`${hintLine(context, words.split(' '))}\``);
