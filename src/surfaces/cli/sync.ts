// `repertoire sync`: makes the content what the locks say, and nothing else; with --check it only tells what differs (S4).
import { differenceJson, differenceText } from '../../sources/check-source.ts';
import { registerLock } from '../../sources/lock-file.ts';
import { labelOf } from '../../sources/pinned-roots.ts';
import { syncSource } from '../../sources/sync-source.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { sayDiskFaults } from './disk-faults.ts';
import { hintLine } from './hint-line.ts';
import { allSources, checkAll, contentOf, type LockedIn, openLocks, startFetching } from './source-context.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const locks = openLocks(context);
  if (!locks.ok) return exitSaying(context, locks.failure, 1);
  const sources = allSources(locks.value);
  if (!context.flags.has('json') && sources.length === 0) {
    context.output.write('There are no sources to sync.\n');
    return 0;
  }
  return await sayDiskFaults(context, () =>
    context.flags.has('check') ? check(context, sources) : sync(context, sources),
  );
}

async function check(context: CommandContext, sources: readonly LockedIn[]): Promise<ExitCode> {
  const { flags, output, errors } = context;
  const content = contentOf(context);
  const checked = await withProgress(errors, 'Checking…', () => checkAll(sources, content));
  const isWhole = checked.every(({ state }) => state === 'ready');
  if (flags.has('json')) {
    const rows = checked.map(({ source, state, differences }) => ({
      source: source.source,
      commit: source.commit,
      state,
      differences: differences.map(differenceJson),
    }));
    output.write(toJsonText({ ok: isWhole, sources: rows }));
    return isWhole ? 0 : 1;
  }
  for (const { source, differences } of checked) {
    for (const each of differences) saySentence(errors, `${labelOf(source)} ${differenceText(each)}`);
  }
  if (!isWhole) return exitSaying(context, `Content and lock disagree; run ${hintLine(context, ['sync'])}`, 1);
  const skills = sources.reduce((sum, { source }) => sum + source.skills.length, 0);
  output.write(`${counted(skills, 'skill')} from ${counted(sources.length, 'source')}: content and lock agree.\n`);
  return 0;
}

const DONE = { ready: 'matches the lock', repaired: 'was repaired', fetched: 'was fetched' } as const;

async function sync(context: CommandContext, sources: readonly LockedIn[]): Promise<ExitCode> {
  const { flags, output } = context;
  const content = contentOf(context);
  const rows: unknown[] = [];
  let code: ExitCode = 0;
  for (const { lock, source } of sources) {
    const fetching = startFetching(context, source.source);
    registerLock(content, lock.path);
    const done = await syncSource({ source, lock, content, world: fetching.world });
    fetching.end();
    const label = labelOf(source);
    rows.push({
      source: source.source,
      commit: source.commit,
      done: done.ok ? done.value : 'failed',
      reason: done.ok ? null : done.failure,
    });
    if (!done.ok) code = exitSaying(context, `Cannot sync ${label}: ${done.failure}`, 1);
    else if (!flags.has('json')) output.write(`${toOneLine(label)} ${DONE[done.value]}\n`);
  }
  if (flags.has('json')) output.write(toJsonText({ ok: code === 0, sources: rows }));
  return code;
}
