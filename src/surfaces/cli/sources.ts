// `repertoire sources`: what the locks name, and whether it is here as they say (S1); `sources prune`: removes what no lock names.
import { differenceText } from '../../sources/check-source.ts';
import { pruneContent } from '../../sources/content.ts';
import { pruneNoted } from '../../sources/fetched-entries.ts';
import { usedEntries } from '../../sources/lock-file.ts';
import { findNewest } from '../../sources/newest-commit.ts';
import { sourceUris } from '../../sources/pinned-roots.ts';
import { newerJson } from '../../sources/source-book.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { sayDiskFaults } from './disk-faults.ts';
import { hintLine } from './hint-line.ts';
import { allSources, checkAll, contentOf, openLocks, placesOf, startFetching } from './source-context.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const [action] = context.operands;
  if (action === undefined) return context.flags.has('outdated') ? await showNewer(context) : await show(context);
  if (action === 'prune') return await sayDiskFaults(context, () => prune(context));
  return exitSaying(context, `Command "sources" knows no action "${toOneLine(action, 40)}": use prune, or nothing`, 2);
}

async function show(context: CommandContext): Promise<ExitCode> {
  const { flags, output, errors } = context;
  const locks = openLocks(context);
  if (!locks.ok) return exitSaying(context, locks.failure, 1);
  const content = contentOf(context);
  const rows = await withProgress(errors, 'Checking…', () => checkAll(allSources(locks.value), content));
  if (flags.has('json')) {
    const sources = rows.map(({ source: { source, ref, commit, paths, skills }, state }) => {
      const uriOf = sourceUris(skills);
      const shown = skills.map((skill) => ({ name: skill.name, uri: uriOf(skill), digest: skill.digest }));
      return { source, ref, commit, paths, skills: shown, state };
    });
    output.write(toJsonText({ sources }));
    return 0;
  }
  if (rows.length === 0) {
    saySentence(output, `No sources yet: add one with \`${hintLine(context, ['add', 'github:OWNER/REPO'])}\``);
    return 0;
  }
  const { paint } = output;
  for (const { source, state, differences } of rows) {
    const shown = state === 'ready' ? paint.green(state) : paint.red(state);
    const ref = source.ref === null ? '' : ` (${toOneLine(source.ref)})`;
    output.write(`${paint.bold(toOneLine(source.source))} at ${source.commit.slice(0, 7)}${ref}  ${shown}\n`);
    for (const { name, path } of source.skills) output.write(`  ${toOneLine(name)}  ${paint.dim(toOneLine(path))}\n`);
    for (const each of differences) output.write(`  ${paint.red('✗')} ${toOneLine(differenceText(each))}\n`);
  }
  if (rows.some(({ state }) => state !== 'ready')) output.write(`Fix it: ${hintLine(context, ['sync'])}\n`);
  return 0;
}

/** Exit 1 where a source could not be asked; one that is outdated is no fault. */
async function showNewer(context: CommandContext): Promise<ExitCode> {
  const { flags, output } = context;
  const locks = openLocks(context);
  if (!locks.ok) return exitSaying(context, locks.failure, 1);
  const rows: NewerRow[] = [];
  for (const { source, lock } of allSources(locks.value)) {
    const { world, end } = startFetching(context, source.source);
    rows.push(newerJson(await findNewest({ source, lock, content: contentOf(context), world })));
    end();
  }
  if (flags.has('json')) output.write(toJsonText({ sources: rows }));
  else if (rows.length === 0) output.write('There are no sources to ask.\n');
  for (const row of rows) {
    if (row.reason !== null) exitSaying(context, `Cannot ask "${row.source}": ${row.reason}`, 1);
    else if (!flags.has('json')) output.write(`${newerLine(row, context)}\n`);
  }
  const outdated = rows.find(({ is_outdated }) => is_outdated);
  if (outdated && !flags.has('json')) output.write(`See what changes, and decide: ${hintLine(context, ['update'])}\n`);
  return rows.some(({ reason }) => reason !== null) ? 1 : 0;
}

function newerLine({ source, commit, newest, is_outdated }: NewerRow, { output: { paint } }: CommandContext): string {
  const name = paint.bold(toOneLine(source));
  if (!is_outdated) return `${name} at ${commit.slice(0, 7)}  ${paint.green('up to date')}`;
  return `${name} at ${commit.slice(0, 7)}  ${paint.yellow(`newer: ${newest?.slice(0, 7)}`)}`;
}

type NewerRow = ReturnType<typeof newerJson>;

function prune(context: CommandContext): ExitCode {
  const { flags, output } = context;
  const content = contentOf(context);
  const used = usedEntries(content, placesOf(context));
  if (!used.ok) return exitSaying(context, `${used.failure}. Nothing was removed: what it names is not known`, 1);
  const removed = pruneContent(
    content,
    new Set(used.value.flatMap(({ skills }) => skills.map(({ digest }) => digest))),
  );
  pruneNoted(content, used.value);
  output.write(
    flags.has('json') ? toJsonText({ removed }) : `Removed ${counted(removed, 'skill')} that no lock names.\n`,
  );
  return 0;
}
