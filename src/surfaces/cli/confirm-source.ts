// Asks before a source is pinned or a skill taken away: on a terminal. Elsewhere the command must say --yes (S1).
import type { CommandContext, ExitCode } from './command.ts';
import { askLine } from './terminal/ask-line.ts';
import { exitSaying } from './terminal/output.ts';

/** `undefined`: go on. Else the exit code, and nothing was changed. */
export async function confirm(context: CommandContext, question: string, what: string): Promise<ExitCode | undefined> {
  const { flags, output, errors } = context;
  if (flags.has('yes')) return undefined;
  const canAsk = output.isTerminal && errors.isTerminal && process.stdin.isTTY && !flags.has('json');
  if (!canAsk)
    return exitSaying(
      context,
      `Cannot ${what}: there is no terminal to ask at; add --yes to accept what is shown. Nothing was changed`,
      2,
    );
  const answer = (await askLine(`${question} [y/N] `))?.trim().toLowerCase();
  return answer === 'y' || answer === 'yes' ? undefined : exitSaying(context, 'Nothing was changed', 1);
}
