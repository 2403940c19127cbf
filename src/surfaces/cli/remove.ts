// `repertoire remove SOURCE`: takes a source out of the lock. Does not ask: `add` brings it back (S1).
import { withoutSource } from '../../sources/lock.ts';
import { changeLock } from '../../sources/lock-file.ts';
import { counted } from '../../text/counted.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { contentOf, findSource, openLocks } from './source-context.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { operands, flags, output, environment } = context;
  const locks = openLocks(context);
  if (!locks.ok) return exitSaying(context, locks.failure, 1);
  const found = findSource(context, locks.value, operands[0] ?? '');
  if (!found.ok) return exitSaying(context, found.failure, 1);
  const { lock, source } = found.value;
  const written = await changeLock(lock, contentOf(context), (before) => withoutSource(before, source.source));
  if (!written.ok) return exitSaying(context, written.failure, 1);
  const { skills } = source;
  if (flags.has('json'))
    output.write(toJsonText({ source: source.source, skills: skills.map(({ name }) => name), lock: lock.path }));
  else
    output.write(
      `Removed ${source.source} (${counted(skills.length, 'skill')}) from ${toDisplayPath(lock.path, environment)}\n`,
    );
  return 0;
}
