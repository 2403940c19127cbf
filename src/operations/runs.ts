// Runs, which outlive the call that asked for them: how they stand, cancelling one, deciding on one; and schedules (J2, J7, J8).
import { type Caller, isRecordedAs, LOCAL_OPERATOR, mayReadLog } from '../identity/caller.ts';
import { runRights } from '../skills/durable/run-rights.ts';
import type { Approval, Attempt, Run, Runs } from '../skills/durable/runs.ts';
import type { ScheduleState } from '../skills/durable/schedule.ts';
import type { LoggedInvocation } from '../skills/record/invocation-log.ts';
import { echoText } from '../text/list-text.ts';
import { fail, ok } from '../values/result.ts';
import { ANY_INVOKER, LOG_READERS, RUN_APPROVERS } from './access.ts';
import { failureCode } from './failure-shape.ts';
import { cursor } from './list-skills.ts';
import { invocationFields, LOG_API, type LogPorts, limit, NO_LOG, ofSkill, resultWhenEnded, STATUSES } from './log.ts';
import { invocationJson, loggedInvocationJson, resultOrNull } from './log-json.ts';
import { type Answer, asFound, nothingFound, operation, type Refusal } from './operation.ts';
import { unstorable } from './parameters.ts';
import { choice, count, decimal, flag, list, moment, record, type TypeOf, text, whole } from './shape.ts';

export interface RunPorts {
  /** Absent with `--no-log`. */
  readonly runs: Runs | undefined;
}

const RUN_STATES = ['waiting', 'unfinished', 'finished'] as const;

const attempts = list(
  record({
    attempt: whole({ least: 1 }),
    started_at: moment,
    failure_code: failureCode.nullable().about('null while it runs, and when it went well'),
  }),
);

const progress = record({ done: decimal(), total: decimal().nullable(), message: text().nullable() })
  .nullable()
  .about('The last that it said');

const approval = record({
  state: choice(['waiting', 'approved', 'rejected', 'expired']),
  expires_at: moment,
  decided_by: text().nullable(),
  decided_at: moment.nullable(),
  message: text().nullable(),
})
  .nullable()
  .about('null where no person has to decide');

const mayCancel = flag.about('Whether the caller may cancel it as it stands');
const mayDecide = flag.about('Whether it waits for a decision that the caller may make');

const ofRun = {
  attempts,
  progress,
  approval,
  cancelled: flag,
  updated_at: moment,
  may_cancel: mayCancel,
  may_decide: mayDecide,
};

const run = record({ ...invocationFields, result: resultWhenEnded, ...ofRun })
  .about('A run: an invocation that outlives the call that asked for it')
  .named('Run');

const found = record({
  invocation: record({ ...invocationFields, attempts: attempts.about('Of a run').optional() })
    .about('One run of a typed skill; with its attempts where it survives its call (J5)')
    .named('Invocation'),
  result: resultWhenEnded,
  attempts: attempts.about('Of a run').optional(),
  progress: progress.optional(),
  approval: approval.optional(),
  cancelled: flag.optional(),
  updated_at: moment.optional(),
  may_cancel: mayCancel.optional(),
  may_decide: mayDecide.optional(),
}).named('InvocationWithResult');

const id = text({ fault: unstorable }).about('Its invocation_id');

const noInvocation = (given: string) => nothingFound(`invocation ${JSON.stringify(echoText(given, 64))}`);

/** An ordinary invocation, or a run as this caller sees it. */
type Found = LoggedInvocation & { readonly run?: SeenRun | undefined };

interface SeenRun {
  readonly run: Run;
  readonly by: Caller;
}

const foundRun = (run: Run, by: Caller): Found => ({
  invocation: run.invocation,
  result: run.result,
  run: { run, by },
});

type FoundPorts = LogPorts & RunPorts;

/** One's own, those that one decided on, and with `log:read` those of others; anything else does not exist (J2). */
async function findOwn(given: string, caller: Caller, { logs, runs }: FoundPorts): Promise<Found | undefined> {
  const logged = await logs?.invocations.find(given);
  if (logged === undefined) return undefined;
  const found = await runs?.find(logged.invocation.id, caller);
  if (found !== undefined) return foundRun(found, caller);
  if (mayReadLog(caller)) return logged;
  // A run of another caller, which an earlier version recorded, may bear the same name in the log.
  const isOwn = isRecordedAs(caller, logged.invocation) && !(await isRun(given, runs));
  return isOwn ? logged : undefined;
}

const isRun = async (given: string, runs: Runs | undefined): Promise<boolean> =>
  (await runs?.find(given, LOCAL_OPERATOR)) !== undefined;

export const getInvocation = operation({
  id: 'get_invocation',
  summary: 'One invocation and its result: your own, or with log:read any; of one that you decided on, how it went',
  access: ANY_INVOKER,
  input: { id },
  output: found,
  run: async ({ id: given }, { caller }, ports: FoundPorts): Promise<Answer<Found>> => {
    if (ports.logs === undefined) return NO_LOG;
    const own = await findOwn(given, caller, ports);
    return own === undefined ? noInvocation(given) : ok(own);
  },
  project: foundJson,
  http: { ...LOG_API, id: 'getInvocation', path: '/api/invocations/{id}', answer: 'The invocation' },
});

const API = { tag: 'runs', failures: [404, 503] } as const;

/** What others started is theirs to cancel, also where it may be read; the operator may cancel anything. */
const mayCancelCall = (caller: Caller, { invocation }: Found): boolean =>
  caller.kind === 'operator' || isRecordedAs(caller, invocation);

export const cancelInvocation = operation({
  id: 'cancel_invocation',
  summary: 'Cancel a run of your own, or a call that is under way; one that has ended stays as it is',
  access: ANY_INVOKER,
  input: { id },
  output: found,
  run: async ({ id: given }, { caller }, ports: FoundPorts): Promise<Answer<Found>> => {
    const { logs, runs } = ports;
    if (logs === undefined || runs === undefined) return NO_LOG;
    const cancelled = await runs.cancel(given, caller);
    if (cancelled !== undefined) return ok(foundRun(cancelled, caller));
    const own = await findOwn(given, caller, ports);
    if (own === undefined || own.run !== undefined || !mayCancelCall(caller, own)) return noInvocation(given);
    if (own.result === undefined) await runs.cancelCall(own.invocation.id);
    return ok(own);
  },
  project: foundJson,
  http: {
    ...API,
    id: 'cancelInvocation',
    method: 'DELETE',
    path: '/api/invocations/{id}',
    answer: 'It is asked to end, or had ended before',
  },
});

export const listRuns = operation({
  id: 'list_runs',
  summary:
    'Your runs, newest first; with log:read everyone’s, and with runs:approve and state=waiting those to decide on',
  access: ANY_INVOKER,
  input: {
    state: choice(RUN_STATES).about('waiting: for a decision. unfinished, finished').optional(),
    skill: ofSkill,
    id: text({ fault: unstorable }).about('Only this one').optional(),
    cursor,
    limit,
  },
  output: record({ runs: list(run), next_cursor: text().nullable() }).named('RunList'),
  run: async (query, { caller }, { runs }: RunPorts) =>
    runs === undefined ? NO_LOG : ok({ ...(await runs.list({ ...query }, caller)), by: caller }),
  project: ({ runs, nextCursor, by }) => ({
    runs: runs.map((each) => runJson(each, by)),
    next_cursor: nextCursor ?? null,
  }),
  http: { ...API, id: 'listRuns', method: 'GET', path: '/api/runs', answer: 'A page of runs' },
});

export const countRuns = operation({
  id: 'count_runs_to_decide',
  summary: 'How many runs wait for a decision that the caller may make; 0 without runs:approve',
  access: ANY_INVOKER,
  input: {},
  output: record({ count }).named('RunCount'),
  run: async (_input, { caller }, { runs }: RunPorts) =>
    runs === undefined ? NO_LOG : ok({ count: await runs.countToDecide(caller) }),
  project: asFound,
  http: { ...API, id: 'countRunsToDecide', method: 'GET', path: '/api/runs/waiting', answer: 'How many' },
});

const decision = (verdict: 'approve' | 'reject', summary: string) =>
  operation({
    id: `${verdict}_run`,
    summary,
    access: RUN_APPROVERS,
    input: {
      id,
      message: text({ most: 1_000, fault: unstorable }).about('Why; in the trail, and told to the caller').optional(),
    },
    output: found,
    run: async ({ id: given, message }, { caller: by }, { runs }: RunPorts): Promise<Answer<Found>> => {
      if (runs === undefined) return NO_LOG;
      const decided = await runs.decide(given, { verdict, by, message });
      return decided.ok ? ok(foundRun(decided.run, by)) : fail(REFUSALS[decided.reason](given));
    },
    project: foundJson,
    http: {
      tag: 'runs',
      id: `${verdict}Run`,
      method: 'POST',
      path: `/api/invocations/{id}/${verdict}`,
      bodyAbout: 'Why',
      answer: verdict === 'approve' ? 'It runs' : 'It ended as failed with UNAUTHORIZED',
      failures: [404, 409, 503],
    },
  });

const REFUSALS = {
  unknown: (given) => ({ code: 'NOT_FOUND', said: `run ${JSON.stringify(echoText(given, 64))} that needs a decision` }),
  forbidden: () => ({ code: 'UNAUTHORIZED', said: 'this needs the operator, or a caller with the scope runs:approve' }),
  own: () => ({ code: 'UNAUTHORIZED', said: 'you started this run; another person has to decide on it' }),
  'not-waiting': () => ({
    code: 'VALIDATION_ERROR',
    said: 'id: the run was decided on before, was cancelled, or has expired',
    isConflict: true,
  }),
} as const satisfies Record<string, (given: string) => Refusal>;

export const approveRun = decision('approve', 'Let a run that waits for approval run');

export const rejectRun = decision('reject', 'End a run that waits for approval');

const schedule = record({
  name: text(),
  skill: text(),
  cron: text(),
  timezone: text(),
  next_at: moment.nullable(),
  last_at: moment.nullable(),
  last_invocation_id: text().nullable(),
  last_status: choice(STATUSES).nullable().about('How the last run stands; null where the log has no more of it'),
  last_failure_code: failureCode.nullable(),
  problem: text().nullable().about('Why it is not used'),
})
  .about('A typed skill that runs at its times')
  .named('Schedule');

export const listSchedules = operation({
  id: 'list_schedules',
  summary: 'The schedules of the configuration, with their last and their next time',
  access: LOG_READERS,
  input: {},
  output: record({ schedules: list(schedule) }).named('ScheduleList'),
  run: async (_input, _asking, { runs }: RunPorts) =>
    runs === undefined ? NO_LOG : ok({ schedules: (await runs.schedules()).map(scheduleJson) }),
  project: asFound,
  http: { ...API, id: 'listSchedules', method: 'GET', path: '/api/schedules', answer: 'The schedules' },
});

export const scheduleJson = (state: ScheduleState): TypeOf<typeof schedule> => ({
  name: state.name,
  skill: state.skill,
  cron: state.cron,
  timezone: state.timezone,
  next_at: state.nextAt?.toISOString() ?? null,
  last_at: state.lastAt?.toISOString() ?? null,
  last_invocation_id: state.lastInvocationId ?? null,
  last_status: state.lastStatus ?? null,
  last_failure_code: state.lastFailureCode ?? null,
  problem: state.problem ?? null,
});

export type RunJson = TypeOf<typeof run>;

/** As this caller sees it. */
export const runJson = (run: Run, by: Caller = LOCAL_OPERATOR): RunJson => ({
  ...loggedInvocationJson(run),
  ...ofRunJson({ run, by }),
});

function foundJson({ invocation: each, result, run: ran }: Found): TypeOf<typeof found> {
  const plain = { invocation: invocationJson(each), result: resultOrNull(result) };
  if (ran === undefined) return plain;
  const more = ofRunJson(ran);
  return { ...plain, invocation: { ...plain.invocation, attempts: more.attempts }, ...more };
}

function ofRunJson({ run: seen, by }: SeenRun) {
  const { attempts: all, progress: said, approval: decided, isCancelled, updatedAt } = seen;
  const rights = runRights(seen, by);
  return {
    attempts: all.map(attemptJson),
    progress: said === undefined ? null : { done: said.done, total: said.total ?? null, message: said.message ?? null },
    approval: decided === undefined ? null : approvalJson(decided),
    cancelled: isCancelled,
    updated_at: updatedAt.toISOString(),
    may_cancel: rights.mayCancel,
    may_decide: rights.mayDecide,
  };
}

const approvalJson = ({ state, expiresAt, decidedBy, decidedAt, message }: Approval) => ({
  state,
  expires_at: expiresAt.toISOString(),
  decided_by: decidedBy ?? null,
  decided_at: decidedAt?.toISOString() ?? null,
  message: message ?? null,
});

const attemptJson = ({ attempt, startedAt, failureCode: code }: Attempt) => ({
  attempt,
  started_at: startedAt.toISOString(),
  failure_code: code ?? null,
});
