// `repertoire doctor`: everything that was looked at, what is wrong with it and what to do. Exit 1 when there are errors.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Catalog } from '../../catalog/catalog.ts';
import { startCatalog } from '../../start.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { definitionIssue, unloadedIssue } from './definition-issue.ts';
import { createDoctorReport, type DoctorReport, hasErrors, type Machine } from './doctor-report.ts';
import { type ListedTyped, openListedTyped } from './listed-typed.ts';
import { renderDoctor } from './render-doctor.ts';
import { problemJson, rootJson } from './report-json.ts';
import { toJsonText } from './terminal/json-output.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { version, output, flags } = context;
  const typed = await openListedTyped(context);
  const settings = typed.ok ? typed.value.settings : context.settings;
  // Watching on, to say whether it works here.
  const catalog = await startCatalog(settings, { log: () => {}, watch: true });
  await watchingBegun(catalog);
  const report = createDoctorReport(catalog, {
    version,
    machine: readMachine(),
    typed: typed.ok ? typedPart(typed.value) : { count: 0, refused: [unloadedIssue(typed.failure)] },
  });
  catalog.close();
  if (typed.ok) await typed.value.close();
  output.write(flags.has('json') ? toJsonText(doctorJson(report)) : renderDoctor(report, output));
  return hasErrors(report) ? 1 : 0;
}

function typedPart({ runtime, skills, problems }: ListedTyped): DoctorReport['typed'] {
  if (runtime === undefined) return undefined;
  return { count: skills.length, refused: problems.map(definitionIssue) };
}

const longestWaitMs = 5_000;
const betweenLooksMs = 25;

/** Watching begins shortly after the first scan; whether it works everywhere is known when one more look has been had. */
async function watchingBegun(catalog: Catalog): Promise<void> {
  const isPending = () => catalog.roots.some((root) => root.state === 'found' && root.watching === 'off');
  for (let waited = 0; isPending() && waited < longestWaitMs; waited += betweenLooksMs)
    await setTimeout(betweenLooksMs);
  await catalog.refresh();
  await catalog.loadManifests();
}

function readMachine(): Machine {
  return { nodeVersion: process.versions.node, platform: process.platform, maxWatches: readMaxWatches() };
}

function readMaxWatches(): number | undefined {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')) || undefined;
  } catch {
    return undefined; // Not Linux, or a sandbox without /proc: there is no limit to report.
  }
}

function doctorJson(report: DoctorReport): unknown {
  return {
    version: report.version,
    node: report.machine.nodeVersion,
    platform: report.machine.platform,
    max_user_watches: report.machine.maxWatches ?? null,
    roots: report.roots.map(rootJson),
    skill_count: report.skillCount,
    fallback: report.fallback,
    ...(report.typed && { typed_skill_count: report.typed.count, refused_typed_skills: report.typed.refused }),
    problems: report.problems.map(problemJson),
    issues: report.issues,
  };
}
