// Runs as `repertoire runs` shows them: a table and one run for people, lines for programs.
import type { Run } from '../../skills/durable/runs.ts';
import type { ScheduleState } from '../../skills/durable/schedule.ts';
import { toOneLine } from '../../text/one-line.ts';
import { payloadLines } from './log-run.ts';
import { STATUS_COLOURS } from './log-view.ts';
import type { Layout } from './terminal/output.ts';
import { breakCells, layTable, type Table, tabLines } from './terminal/table.ts';
import { minuteText, secondText } from './terminal/time-text.ts';

/** `waiting` where a person has to decide. */
const stateText = ({ invocation, approval, result }: Run): string =>
  approval?.state === 'waiting' && result === undefined ? 'waiting' : invocation.status;

/** `3/10 mailed` */
export function progressText({ invocation, progress, approval }: Run): string {
  if (approval?.state === 'waiting') return `${invocation.skillName}: waits for approval`;
  if (progress === undefined) return `${invocation.skillName}: ${invocation.status}`;
  return `${invocation.skillName}: ${doneText(progress)}`;
}

const doneText = ({ done, total, message }: NonNullable<Run['progress']>): string =>
  toOneLine(`${total === undefined ? done : `${done}/${total}`}${message === undefined ? '' : ` ${message}`}`, 120);

const ID_WIDTH = 36;
const SCHEDULE_INDENT = 10;

export function renderRuns(runs: readonly Run[], layout: Layout): string {
  const { paint } = layout;
  const table = layTable(runs, [
    { title: 'run', text: ({ invocation }) => invocation.id },
    {
      title: 'state',
      text: stateText,
      paint: (text, { invocation }) => paint[STATUS_COLOURS[invocation.status]](text),
    },
    { title: 'skill', text: ({ invocation }) => invocation.skillName, most: 30, paint: paint.bold },
    { title: 'attempts', text: ({ attempts }) => String(attempts.length), align: 'right' },
    { title: 'caller', text: ({ invocation }) => invocation.invokingAgent, most: 24 },
    { title: 'since', text: ({ invocation }) => secondText(invocation.timestamp), paint: paint.dim },
    { text: ({ progress, result }) => (progress === undefined || result !== undefined ? '' : doneText(progress)) },
  ]);
  return brokenTable(table, layout, ID_WIDTH);
}

/** Titles break where their cells do. */
function brokenTable({ head, rows }: Table, { paint, columns }: Layout, indent: number): string {
  // Progress speaks for itself: its column has no title.
  const titles = breakCells(
    head.filter((title) => title.trim() !== ''),
    columns,
    indent,
  );
  const lines = [...titles.map(paint.dim), ...rows.flatMap((cells) => breakCells(cells, columns, indent))];
  return lines.map((line) => `${line}\n`).join('');
}

/** For programs: id, state, skill, attempts, caller, since, failure code. */
export const runLines = (runs: readonly Run[]): string =>
  tabLines(
    runs.map((run) => [
      run.invocation.id,
      stateText(run),
      run.invocation.skillName,
      run.attempts.length,
      run.invocation.invokingAgent,
      run.invocation.timestamp.toISOString(),
      run.result === undefined || run.result.success ? '' : run.result.failure.code,
    ]),
  );

export function renderRun(run: Run, layout: Layout): string {
  const { invocation, result, attempts, approval, progress } = run;
  const failures = attempts.map(({ attempt, startedAt, failureCode }) =>
    [`${attempt}`, `at ${secondText(startedAt)}`, failureCode ?? ''].join(' ').trimEnd(),
  );
  const labels: [string, string][] = [
    ['run', invocation.id],
    ['skill', invocation.skillName],
    ['state', stateText(run)],
    ['caller', invocation.invokingAgent],
    ['since', minuteText(invocation.timestamp)],
    ['attempts', failures.join(', ') || (result === undefined ? 'none yet' : 'none')],
  ];
  if (progress !== undefined) labels.push(['progress', doneText(progress)]);
  if (approval !== undefined) labels.push(['approval', approvalText(approval)]);
  if (result !== undefined && !result.success)
    labels.push(['failed', toOneLine(`${result.failure.code}: ${result.failure.message}`, 400)]);
  const shown = labels.map(([label, value]) => `${layout.paint.dim(label.padEnd(9))} ${value}\n`).join('');
  // Those who decide on it see what they decide on.
  const payloads = [
    ...payloadLines('input', invocation.inputPayload, layout),
    ...(result?.success ? payloadLines('output', result.outputPayload, layout) : []),
  ];
  return `${shown}${payloads.map((line) => `${line}\n`).join('')}`;
}

function approvalText({ state, decidedBy, message, expiresAt }: NonNullable<Run['approval']>): string {
  if (state === 'waiting') return `waits until ${minuteText(expiresAt)}`;
  return toOneLine(`${state}${decidedBy === undefined ? '' : ` by ${decidedBy}`}${message ? `: ${message}` : ''}`, 400);
}

export function renderSchedules(schedules: readonly ScheduleState[], layout: Layout): string {
  const { paint } = layout;
  const time = (date: Date | undefined) => (date === undefined ? '-' : minuteText(date));
  const table = layTable(schedules, [
    { title: 'schedule', text: ({ name }) => name, most: 24, paint: paint.bold },
    { title: 'skill', text: ({ skill }) => skill, most: 30 },
    { title: 'cron', text: ({ cron }) => cron, most: 24 },
    { title: 'timezone', text: ({ timezone }) => timezone, most: 24 },
    { title: 'next', text: ({ nextAt }) => time(nextAt) },
    { title: 'last', text: ({ lastAt }) => time(lastAt) },
  ]);
  return brokenTable(table, layout, SCHEDULE_INDENT);
}

/** For programs: name, skill, cron, timezone, next, last. */
export const scheduleLines = (schedules: readonly ScheduleState[]): string =>
  tabLines(
    schedules.map(({ name, skill, cron, timezone, nextAt, lastAt }) => [
      name,
      skill,
      cron,
      timezone,
      nextAt?.toISOString() ?? '',
      lastAt?.toISOString() ?? '',
    ]),
  );
