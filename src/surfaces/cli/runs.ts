// `repertoire runs [list|show|cancel|approve|reject]`: runs that outlive the call that asked for them, and deciding on them (J2, J8).
import { openRunsOf, type ProgramRuns } from '../../app/open-runs.ts';
import { LOCAL_OPERATOR } from '../../identity/caller.ts';
import { runJson } from '../../operations/runs.ts';
import type { Decided, Run, RunQuery } from '../../skills/durable/runs.ts';
import { orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { isUuid } from '../../values/uuid.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { findIdPartFault, severalText } from './log-run.ts';
import { findDataFault, isStoreThere, type Store, withStore } from './open-store.ts';
import { progressText, renderRun, renderRuns, runLines } from './render-runs.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { startProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';

const ACTIONS = { list, show, cancel, approve: decide, reject: decide } as const;

type Action = keyof typeof ACTIONS;

export async function run(context: CommandContext): Promise<ExitCode> {
  const asked = parseAsked(context);
  if (!asked.ok) return exitSaying(context, asked.failure, 2);
  const fault = findDataFault(context, 'log');
  if (fault !== undefined) return exitSaying(context, fault, 1);
  return withStore(context, async (store) => {
    const id = await findWholeId(asked.value, store, context);
    if (!id.ok) return exitSaying(context, id.failure, 1);
    const runs = await openRunsOf(store, context.settings);
    try {
      return await ACTIONS[asked.value.action]({ ...asked.value, id: id.value, runs, context });
    } finally {
      await runs.close(0);
    }
  });
}

interface Asked {
  readonly action: Action;
  /** Empty for `list`. */
  readonly id: string;
}

interface Work extends Asked {
  readonly runs: ProgramRuns;
  readonly context: CommandContext;
}

/** Options that go with some actions alone. */
const GOES_WITH = {
  state: ['list'],
  skill: ['list'],
  limit: ['list'],
  cursor: ['list'],
  message: ['approve', 'reject'],
} as const;

/** The failure is a sentence about wrong usage. */
export function parseAsked(context: Pick<CommandContext, 'operands' | 'values' | 'program'>): Result<Asked, string> {
  const { operands, values } = context;
  const [action = 'list', id] = operands;
  if (!isAction(action)) return fail(`Unknown action "${toOneLine(action, 80)}": use ${orList(Object.keys(ACTIONS))}`);
  const misplaced = Object.entries(GOES_WITH).find(
    ([option, actions]) =>
      values.has(option as keyof typeof GOES_WITH) && !(actions as readonly string[]).includes(action),
  );
  if (misplaced !== undefined)
    return fail(
      `Option --${misplaced[0]} does not apply to "runs ${action}": it is for "runs ${misplaced[1].join('" and "runs ')}"`,
    );
  if (action === 'list')
    return id === undefined
      ? ok({ action, id: '' })
      : fail(`Unexpected argument "${toOneLine(id, 80)}": "runs list" takes none`);
  if (id === undefined) return fail(`Command "runs ${action}" needs an ID: ${hintLine(context, ['runs'])} lists them`);
  const fault = findIdPartFault(id);
  if (fault !== undefined)
    return fail(`Cannot ${action} the run "${toOneLine(id, 80)}": ${fault}; ${hintLine(context, ['runs'])} lists them`);
  return ok({ action, id });
}

const isAction = (text: string): text is Action => Object.hasOwn(ACTIONS, text);

/** Enough to say which there are. */
const MOST_NAMED = 4;

/** The first digits stand for the one id that begins so (C). */
async function findWholeId(
  { action, id }: Asked,
  { invocations }: Pick<Store, 'invocations'>,
  context: CommandContext,
): Promise<Result<string, string>> {
  if (action === 'list' || isUuid(id)) return ok(id);
  const { invocations: found, nextCursor } = isStoreThere(context.settings)
    ? await invocations.list({ idBegins: id, limit: MOST_NAMED })
    : { invocations: [], nextCursor: undefined };
  const [first, ...others] = found.map(({ invocation }) => invocation.id);
  if (first === undefined) return fail(absenceText(context, id));
  if (others.length === 0) return ok(first);
  return fail(`Cannot ${action} the run "${id}": ${severalText(id, [first, ...others], nextCursor !== undefined)}`);
}

const USUAL_LIMIT = 20;

async function list({ runs, context }: Work): Promise<ExitCode> {
  const { values, flags, output, errors, settings } = context;
  const [cursor, skill] = [values.get('cursor')?.[0], values.get('skill')?.[0]];
  const query: RunQuery = {
    limit: Number(values.get('limit')?.[0] ?? USUAL_LIMIT),
    // Only these are let through.
    state: values.get('state')?.[0] as RunQuery['state'],
    skill,
    cursor,
  };
  const page = isStoreThere(settings) ? await runs.list(query, LOCAL_OPERATOR) : { runs: [], nextCursor: undefined };
  if (flags.has('json'))
    output.write(toJsonText({ runs: page.runs.map((run) => runJson(run)), next_cursor: page.nextCursor ?? null }));
  else if (page.runs.length === 0) saySentence(errors, 'No runs yet: invoke a durable skill to start one');
  else output.write(output.isTerminal ? renderRuns(page.runs, output) : runLines(page.runs));
  if (page.nextCursor !== undefined && output.isTerminal && !flags.has('json'))
    errors.write(`${errors.paint.dim(`For older runs, run the same command with --cursor ${page.nextCursor}`)}\n`);
  return 0;
}

const FOLLOW_MS = 500;

/** On a terminal until it has ended, or the person has seen enough. One that waits for a decision is shown as it is, to be decided on. */
async function show({ runs, id, context }: Work): Promise<ExitCode> {
  const { flags, output, errors } = context;
  let found = await runs.find(id, LOCAL_OPERATOR);
  if (found === undefined) return noRun(context, id);
  if (output.isTerminal && errors.isTerminal && !flags.has('json') && goesOn(found)) {
    const signal = context.stopSignal();
    const line = startProgress(errors, Date.now);
    while (goesOn(found) && !signal.aborted) {
      line.update(progressText(found));
      found = (await runs.wait(id, LOCAL_OPERATOR, { ms: FOLLOW_MS, signal })) ?? found;
    }
    line.end();
  }
  output.write(flags.has('json') ? toJsonText(runJson(found)) : renderRun(found, output));
  return 0;
}

const goesOn = ({ result, approval }: Run): boolean => result === undefined && approval?.state !== 'waiting';

async function cancel({ runs, id, context }: Work): Promise<ExitCode> {
  const before = await runs.find(id, LOCAL_OPERATOR);
  if (before === undefined) return noRun(context, id);
  if (before.result !== undefined)
    return exitSaying(context, `Cannot cancel the run ${id}: it has ended as ${before.invocation.status}`, 1);
  const cancelled = (await runs.cancel(id, LOCAL_OPERATOR)) ?? before;
  return told(
    context,
    cancelled,
    `The run ${id} is cancelled${cancelled.result === undefined ? ': it ends within seconds' : ''}`,
  );
}

async function decide({ action, runs, id, context }: Work): Promise<ExitCode> {
  const verdict = action === 'approve' ? 'approve' : 'reject';
  const message = context.values.get('message')?.[0];
  const decided = await runs.decide(id, { verdict, by: LOCAL_OPERATOR, message });
  if (!decided.ok) return exitSaying(context, `Cannot ${verdict} the run ${id}: ${REASONS[decided.reason]}`, 1);
  const what = verdict === 'approve' ? 'is approved: a server carries it out' : 'is rejected';
  return told(context, decided.run, `The run ${id} ${what}`);
}

const REASONS = {
  unknown: 'there is no run with this id that needs a decision',
  forbidden: 'only the operator and those with the scope runs:approve may decide',
  own: 'those who started a run do not decide on it',
  'not-waiting': 'it was decided on before, was cancelled, or has expired',
} as const satisfies Record<Extract<Decided, { ok: false }>['reason'], string>;

function told({ flags, output, errors }: CommandContext, run: Run, sentence: string): ExitCode {
  if (flags.has('json')) output.write(toJsonText(runJson(run)));
  else saySentence(errors, sentence);
  return 0;
}

const noRun = (context: CommandContext, id: string): ExitCode => exitSaying(context, absenceText(context, id), 1);

const absenceText = (context: CommandContext, id: string): string =>
  `Cannot find the run ${id}: there is none; ${hintLine(context, ['runs'])} lists them`;
