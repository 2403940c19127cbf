// `repertoire token`: the operator's token, made when there is none yet; with --rotate a new one (H5).
import { openOperatorToken } from '../../app/store.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { inOwnWords } from './hint-line.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { settings, flags, output, errors } = context;
  const isRotating = flags.has('rotate');
  const opened = await openOperatorToken(settings, { rotate: isRotating });
  if (!opened.ok) return exitSaying(context, inOwnWords(context, opened.failure), 1);
  const { token, warning } = opened.value;
  if (warning !== undefined) saySentence(errors, inOwnWords(context, warning));
  output.write(flags.has('json') ? toJsonText({ token }) : `${token}\n`);
  if (isRotating && output.isTerminal) saySentence(errors, 'A running server keeps the old token until you restart it');
  return 0;
}
