// `repertoire log ID`: one run, whole: what went in, what came out or why it failed, and the runs that belong to it.
import { loggedInvocationJson } from '../../operations/log-json.ts';
import { FAILURE_MODES } from '../../skills/define/failure.ts';
import type { InvocationResult } from '../../skills/define/invocation.ts';
import type { InvocationLog, LoggedInvocation } from '../../skills/record/invocation-log.ts';
import { counted } from '../../text/counted.ts';
import { findNearest } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { isUuid, uuidsFrom } from '../../values/uuid.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { ID_WIDTH, renderInvocations, STATUS_COLOURS } from './log-view.ts';
import { exitSaying, type Layout } from './terminal/output.ts';
import { toJsonText, toVisibleText } from './terminal/safe-text.ts';
import { labelledLines } from './terminal/table.ts';
import { hangingText, joinSections } from './terminal/text-layout.ts';
import { durationText, minuteText, secondText } from './terminal/time-text.ts';

type Reads = Pick<InvocationLog, 'find' | 'list'>;
type Hints = Pick<CommandContext, 'program' | 'values'>;

/** Fewer mean too many runs. */
const LEAST_DIGITS = 4;

/** Why this is no beginning of an id, as the end of a sentence; `undefined`: it is one. */
export function findIdPartFault(given: string): string | undefined {
  if (uuidsFrom(given) === undefined) return 'this is not the id of a run';
  return given.length < LEAST_DIGITS
    ? `this is too short; give at least the first ${LEAST_DIGITS} digits of its id`
    : undefined;
}

/** What is wrong with an id before the log is asked; `undefined`: nothing. */
export function findIdFault(given: string, hints: Hints): string | undefined {
  const id = toOneLine(given, 80);
  if (uuidsFrom(given) === undefined) {
    const list = `\`${hintLine(hints, ['log'])}\` lists the runs with their ids`;
    const ofSkill = /^[a-z][\w-]*$/i.test(given)
      ? `, \`${hintLine(hints, ['log', '--skill', given])}\` those of a skill`
      : '';
    return `Cannot show the run "${id}": this is not the id of a run; ${list}${ofSkill}`;
  }
  const fault = findIdPartFault(given);
  return fault && `Cannot show the run "${id}": ${fault}`;
}

export async function showRun(log: Reads, given: string, context: CommandContext): Promise<ExitCode> {
  const { flags, output } = context;
  const found = await findRun(log, given, context);
  if (!found.ok) return exitSaying(context, found.failure, 1);
  const { result, ...invocation } = loggedInvocationJson(found.value);
  if (flags.has('json')) output.write(toJsonText({ invocation, result }));
  else output.write(renderRun(found.value, await relatedRuns(log, found.value), output));
  return 0;
}

/** Enough to say which there are. */
const MOST_NAMED = 4;

async function findRun(log: Reads, given: string, context: CommandContext): Promise<Result<LoggedInvocation, string>> {
  if (isUuid(given)) {
    const run = await log.find(given);
    return run === undefined ? fail(await explainAbsence(log, given, context)) : ok(run);
  }
  const { invocations, nextCursor } = await log.list({ idBegins: given, limit: MOST_NAMED });
  const ids = invocations.map(({ invocation }) => invocation.id);
  const [id] = ids;
  if (id === undefined) return fail(await explainAbsence(log, given, context));
  if (ids.length > 1)
    return fail(`Cannot show the run "${given}": ${severalText(given, ids, nextCursor !== undefined)}`);
  // The list may hold cut payloads.
  const run = await log.find(id);
  return run === undefined ? fail(await explainAbsence(log, given, context)) : ok(run);
}

/** Ends a sentence: which ids begin so. */
export function severalText(given: string, ids: readonly string[], hasMore: boolean): string {
  const names = ids.map((each) => each.slice(0, Math.max(ID_WIDTH, given.length + 4))).join(', ');
  return `several ids start with it: ${names}${hasMore ? ' and more' : ''}; give more digits`;
}

/** Of the latest runs, one of which was probably meant. */
const MOST_LOOKED_AT = 200;

async function explainAbsence(log: Reads, given: string, hints: Hints): Promise<string> {
  const cannot = `Cannot show the run "${given}": the log has no run with this id`;
  const shared = await log.list({ correlationIdBegins: given, limit: MOST_NAMED });
  const [first] = shared.invocations;
  if (first !== undefined) {
    const { correlationId } = first.invocation;
    const [count, verb] =
      shared.nextCursor === undefined ? [shared.invocations.length, ''] : [MOST_NAMED, 'more than '];
    const runs = `${verb}${counted(count, 'run has', 'runs have')} it as correlation id`;
    return `${cannot}, but ${runs}: \`${hintLine(hints, ['log', '--correlation-id', correlationId])}\``;
  }
  const { invocations: latest } = await log.list({ limit: MOST_LOOKED_AT });
  const beginnings = latest.map(({ invocation }) => invocation.id.slice(0, given.length));
  const [nearest] = findNearest(given, beginnings, 1);
  if (nearest !== undefined) return `${cannot}; did you mean "${nearest}"?`;
  return `${cannot}; \`${hintLine(hints, ['log'])}\` lists the runs with their ids`;
}

/** Beyond it they are a list of their own. */
const MOST_RELATED = 100;

/** Every run under its correlation id, this one too, oldest first; none where it is the only one. */
async function relatedRuns(log: Reads, { invocation }: LoggedInvocation): Promise<readonly LoggedInvocation[]> {
  const { correlationId } = invocation;
  const { invocations } = await log.list({ correlationId, limit: MOST_RELATED });
  return invocations.length > 1 ? invocations.toReversed() : [];
}

export function renderRun(run: LoggedInvocation, related: readonly LoggedInvocation[], layout: Layout): string {
  const { invocation, result } = run;
  return joinSections([
    [headline(run, layout)],
    factLines(run, layout),
    payloadLines('Input', invocation.inputPayload, layout),
    result?.success ? payloadLines('Output', result.outputPayload, layout) : [],
    result?.success === false ? failureLines(result, layout) : [],
    relatedLines(related, layout),
  ]);
}

function headline({ invocation, result }: LoggedInvocation, { paint }: Layout): string {
  const { skillName, status } = invocation;
  const state = paint[STATUS_COLOURS[status]](status);
  return `${paint.bold(toOneLine(skillName))}  ${state}${result === undefined ? '' : ` in ${durationText(result.durationMs)}`}`;
}

const LABEL_WIDTH = 16;

function factLines({ invocation, result }: LoggedInvocation, layout: Layout): readonly string[] {
  const { id, invokingAgent, correlationId, timestamp } = invocation;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Id', [id]],
    ['Agent', [toOneLine(invokingAgent)]],
    ['Started', [momentText(timestamp)]],
    ...(result === undefined ? [] : [['Ended', [momentText(result.timestamp)]] as const]),
    ['Correlation id', [correlationId]],
  ];
  return labelledLines(rows, LABEL_WIDTH, layout);
}

/** With year and seconds. */
const momentText = (date: Date): string => `${minuteText(date)}${secondText(date).slice(-3)}`;

/** As it is, to be copied. */
export function payloadLines(title: string, payload: unknown, { paint }: Layout): readonly string[] {
  const text = toVisibleText(toJsonText(payload)).trimEnd();
  return [paint.bold(title), ...text.split('\n').map((line) => `  ${line}`)];
}

function failureLines({ failure }: InvocationResult & { readonly success: false }, layout: Layout): readonly string[] {
  const { paint, columns } = layout;
  const { code, message, details } = failure;
  const isCancelled = details?.cancelled === true;
  const action = isCancelled ? 'Run it again if you still need it' : FAILURE_MODES[code].suggestedAction;
  return [
    `${paint.bold('Failure')}  ${paint.red(isCancelled ? 'cancelled' : code)}`,
    ...hangingText('  ', toOneLine(message), columns),
    ...hangingText('  → ', action, columns),
    ...(details === undefined || isCancelled
      ? []
      : payloadLines('  Details', details, layout).map((line, index) => (index === 0 ? line : `  ${line}`))),
  ];
}

function relatedLines(related: readonly LoggedInvocation[], layout: Layout): readonly string[] {
  if (related.length === 0) return [];
  const table = renderInvocations(related, { ...layout, columns: layout.columns - 2 }, { head: true });
  return [
    layout.paint.bold('Runs with the same correlation id'),
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}
