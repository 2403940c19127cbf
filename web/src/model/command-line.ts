// A command of this program as it works on the machine of the server. Pure.
import type { CommandWords } from './shapes.ts';

/** What a command has to find: the same log and agents, the same skills, the same typed skills. */
export type Reach = Exclude<keyof CommandWords, 'program'>;

export const commandLine = (commands: CommandWords, words: string, reach?: Reach): string =>
  [commands.program, words, reach === undefined ? '' : commands[reach]].filter((part) => part !== '').join(' ');
