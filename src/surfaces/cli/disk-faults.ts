// A data directory that cannot be used is one sentence and exit 1, not a fault of the program.
import { codeOf } from '../../values/error-code.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying } from './terminal/output.ts';

/** Of the disk; every other throw is a fault of ours. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; choose another with --data',
  EPERM: 'permission denied; choose another with --data',
  EROFS: 'the disk is read-only; choose another with --data',
  ENOSPC: 'the disk is full; make room on it',
  EDQUOT: 'the disk is full; make room on it',
  EIO: 'the disk cannot be read or written',
  ENOENT:
    'it is a link to a place that is not there, was removed meanwhile, or cannot be made there; choose another with --data',
  ENOTDIR: 'a part of its path is a file; choose another with --data',
  EEXIST: 'a part of its path is a file; choose another with --data',
  ELOOP: 'it is a link that leads to itself; choose another with --data',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
};

export async function sayDiskFaults(
  context: CommandContext,
  work: () => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    const reason = REASONS[codeOf(error) ?? ''];
    if (reason === undefined) throw error;
    const shown = toDisplayPath(context.settings.dataDirectory, context.environment);
    return exitSaying(context, `Cannot use the data directory "${shown}": ${reason}`, 1);
  }
}
