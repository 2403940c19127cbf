// A command that a hint names, as it works on this machine: how the program is called here, and the store that was named. Pure.
import type { CommandContext } from './command.ts';
import { toShellLine } from './program-command.ts';

type Asked = Pick<CommandContext, 'program' | 'values'>;

/**
 * @example
 * hintLine(context, ['log', '--loads']); // "repertoire log --loads --data ./kept"
 */
export const hintLine = ({ program, values }: Asked, words: readonly string[]): string =>
  toShellLine([...program(), ...words, ...(values.get('data') ?? []).flatMap((folder) => ['--data', folder])]);
