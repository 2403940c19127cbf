// What is not there: one sentence for each, no matter who asks and why it is missing (N4).
import { echoText } from '../text/list-text.ts';
import type { Choice, LibraryRefusal } from './library.ts';

const missing = (said: string): LibraryRefusal => ({ kind: 'missing', said });

export const noSkill = (name: string): LibraryRefusal => missing(`skill ${quoted(name)} in the library`);

export const noVersion = ({ name, digest }: Pick<Choice, 'name' | 'digest'>): LibraryRefusal =>
  missing(`version ${digest} of ${quoted(name)} in the library`);

const quoted = (name: string): string => JSON.stringify(echoText(name, 80));
