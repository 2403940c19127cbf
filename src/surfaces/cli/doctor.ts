// `repertoire doctor`: everything that was looked at, what is wrong with it and what to do. Exit 1 when there are errors.
import { readFileSync } from 'node:fs';
import { sleep } from '../../async/sleep.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { startCatalog } from '../../open-catalog.ts';
import type { Settings } from '../../settings/config.ts';
import { lockPlaces, lockStamp } from '../../sources/lock-stamp.ts';
import { counted, grouped } from '../../text/counted.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createDoctorReport, type DoctorReport, hasErrors, type Machine, type StoreFacts } from './doctor-report.ts';
import { hintLine } from './hint-line.ts';
import { findHighRisks, type RootedFinding } from './inspect-skill.ts';
import { tellBadRoots } from './open-catalog-once.ts';
import { renderDoctor } from './render-doctor.ts';
import { problemJson } from './report-json.ts';
import type { Output } from './terminal/output.ts';
import { startProgress, withProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { openTypedDefinitions } from './typed-definitions.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { version, output, errors, flags } = context;
  const typed = await openTypedDefinitions(context);
  const catalog = await openWatched(typed.settings, errors);
  tellBadRoots(catalog, typed.settings, errors);
  const sources = await withProgress(errors, 'Checking sources…', () => lookAtSources(context));
  const facts = { version, ...readMachine(), store: storeOf(typed.settings, context), sources };
  const report = createDoctorReport(catalog, typed, { ...facts, findings: await inspect(catalog, errors) });
  catalog.close();
  await typed.close();
  const json = () =>
    toJsonText({
      ...report,
      problems: report.problems.map(problemJson),
      findings: report.findings.map(findingJson),
    });
  output.write(
    flags.has('json')
      ? json()
      : renderDoctor(report, output, { environment: context.environment, status: hintLine(context, []) }),
  );
  return hasErrors(report) ? 1 : 0;
}

/** A lock that cannot be read is among the problems already. */
async function lookAtSources(context: CommandContext): Promise<DoctorReport['sources']> {
  const places = lockPlaces(context.settings.rootRequest.project, context.settings.dataDirectory).filter(
    ({ path }) => lockStamp(path) !== '',
  );
  // With git, archives and digests: most machines have no lock, and load none of it.
  if (places.length === 0) return [];
  const { openLocks, allSources, checkAll, contentOf } = await import('./source-context.ts');
  const { differenceText } = await import('../../sources/check-source.ts');
  const locks = openLocks(context);
  const checked = locks.ok ? await checkAll(allSources(locks.value), contentOf(context)) : [];
  return checked.map(({ source: { source, ref, commit, paths, skills }, state, differences }) => ({
    ...{ source, ref, commit, paths },
    skill_count: skills.length,
    state,
    differences: differences.map(differenceText),
  }));
}

/** Watched, to say whether that works here. */
async function openWatched(settings: Settings, errors: Output): Promise<Catalog> {
  const open = () => startCatalog(settings, { log: () => {}, watch: true });
  const catalog = await withProgress(errors, 'Scanning…', open);
  await withProgress(errors, 'Setting up watches…', () => watchingBegun(catalog));
  return catalog;
}

async function inspect(catalog: Catalog, errors: Output): Promise<readonly RootedFinding[]> {
  const progress = startProgress(errors, Date.now);
  const show = (done: number, total: number) =>
    progress.update(`Inspecting… ${grouped(done)} of ${counted(total, 'skill')}`);
  try {
    return await findHighRisks(catalog, show);
  } finally {
    progress.end();
  }
}

const findingJson = ({ path, source, rule, severity, message, fix, line, excerpt }: RootedFinding) => ({
  ...{ path, source, rule, severity, message, fix, line, excerpt },
});

const longestWaitMs = 5_000;
const betweenLooksMs = 25;

/** Watching begins shortly after the first scan; whether it works everywhere is known after one more look. */
async function watchingBegun(catalog: Catalog): Promise<void> {
  const isPending = () => catalog.roots.some((root) => root.state === 'found' && root.watching === 'off');
  for (let waited = 0; isPending() && waited < longestWaitMs; waited += betweenLooksMs) await sleep(betweenLooksMs);
  await catalog.refresh();
  await catalog.loadManifests();
}

const readMachine = (): Machine => ({
  node: process.versions.node,
  platform: process.platform,
  max_user_watches: readMaxWatches(),
});

function readMaxWatches(): number | null {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')) || null;
  } catch {
    return null; // Not Linux, or a sandbox without /proc: there is no limit to report.
  }
}

const storeOf = (
  { storePlace: { kind }, dataDirectory }: Settings,
  { values }: Pick<CommandContext, 'values'>,
): StoreFacts => ({
  kind,
  named_by: kind === 'sqlite' ? null : values.has('database-url') ? '--database-url' : 'DATABASE_URL',
  data_directory: dataDirectory,
});
