// A command of this program, with a button that copies it: as it works on the machine of the server (U6).
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { commandLine, type Reach } from '../model/command-line.ts';
import type { CommandWords } from '../model/shapes.ts';
import { Command } from './command.tsx';

export interface OwnCommandProps {
  /** Without the word that starts the program: `agent add NAME`. */
  readonly words: string;
  readonly reach?: Reach;
}

/** As `/api/me` tells it. */
export const CommandsContext = createContext<CommandWords>({
  program: 'repertoire',
  store: '',
  catalog: '',
  typed: '',
  sources: '',
});

export const OwnCommand = ({ words, reach }: OwnCommandProps) => (
  <Command text={commandLine(useContext(CommandsContext), words, reach)} />
);
