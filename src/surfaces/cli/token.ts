// `repertoire token`: the operator's token, made when there is none yet; with --rotate a new one (H5).
import { openOperatorToken } from '../../app/store.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run({ settings, flags, output, errors }: CommandContext): Promise<ExitCode> {
  const isRotating = flags.has('rotate');
  const opened = await openOperatorToken(settings, { rotate: isRotating });
  if (!opened.ok) {
    errors.write(`${opened.failure}\n`);
    return 1;
  }
  const { token, warning } = opened.value;
  if (warning !== undefined) errors.write(`${warning}\n`);
  output.write(flags.has('json') ? toJsonText({ token }) : `${token}\n`);
  if (isRotating && output.isTerminal) errors.write('A server that runs keeps the old token: start it again\n');
  return 0;
}
