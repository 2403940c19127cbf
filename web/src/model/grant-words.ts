// The command that grants something to the one who is signed in, for them to hand to the operator. Pure.
import { shellWord } from '../text/shell-word.ts';
import type { Me } from './shapes.ts';

/** `what`: `--scope log:read`. An email is whatever its user made it: in a shell it must be one word that does nothing. */
export const grantWords = ({ email }: Pick<Me, 'email'>, what: string): string =>
  `user grant ${email === null ? 'EMAIL' : shellWord(email)} ${what}`;
