// The Tasks extension over runs: what became of a call that was answered with a task, on whichever replica it runs (J4).
import { hasStarted } from '../../../skills/durable/run-rights.ts';
import type { Run, Runs } from '../../../skills/durable/runs.ts';
import { StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import { echoText } from '../../../text/list-text.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { isUuid } from '../../../values/uuid.ts';
import { canShowForm, declaresTasks, needsTasks, TASKS_EXTENSION } from '../wire/client-capabilities.ts';
import { invalidParams, rpcCode } from '../wire/json-rpc.ts';
import type { Method, MethodResult, ModernPart, RequestContext, RpcError } from '../wire/method.ts';
import { invokerOf } from './invoker.ts';
import { detailedTask, type OpenQuestions } from './run-task.ts';
import { createTaskFeed } from './task-feed.ts';

export interface TaskPorts {
  readonly runs: Runs;
  /** How long runs are kept from their creation; `null`: for ever. */
  readonly ttlMs: number | null;
  /** So long a client that does not know tasks waits for the end; 20 s when absent. */
  readonly waitMs?: number;
  readonly onUnknown?: NoteUnknownRun;
}

/** Hears who asked for a run that is not there for them, and how. */
export type NoteUnknownRun = (caller: Caller, method: string, id: string) => void;

export interface TaskOptions extends TaskPorts {
  /** Who asks where a request does not say (`--agent`). */
  readonly agent: string | undefined;
}

export const createTasks = (options: TaskOptions): ModernPart => ({
  extensions: { [TASKS_EXTENSION]: {} },
  tasks: createTaskFeed(options),
  methods: new Map([
    overTask('tasks/get', options, (run, asked) => get(options, run, asked)),
    overTask('tasks/update', options, (run, asked) => update(options.runs, run, asked)),
    overTask('tasks/cancel', options, (run, asked) => cancel(options.runs, run, asked)),
  ]),
});

type Caller = Parameters<Runs['find']>[1];

interface Asked {
  readonly params: JsonObject;
  readonly context: RequestContext;
  readonly caller: Caller;
}

type TaskMethod = (run: Run, asked: Asked) => Promise<MethodResult>;

/** Only for clients that declare the extension, and only for the caller's own. */
const overTask = (
  name: string,
  { runs, agent, onUnknown }: TaskOptions,
  method: TaskMethod,
): readonly [string, Method] => [
  name,
  async (params, context) => {
    if (!declaresTasks(context)) return fail(needsTasks('A task'));
    const { caller } = invokerOf(context, agent);
    try {
      const run = await findTask(runs, params, caller);
      if (run.ok) return await method(run.value, { params, context, caller });
      if (typeof params.taskId === 'string') onUnknown?.(caller, name, params.taskId);
      return run;
    } catch (error) {
      if (error instanceof StoreUnavailable) return fail(STORE_AWAY);
      throw error;
    }
  },
];

const STORE_AWAY: RpcError = {
  code: rpcCode.internalError,
  message: 'Cannot look for the task: the store cannot be reached; try again later',
};

/** Another's is as unknown as one that never was, also to those who may read it in the log. */
async function findTask(runs: Runs, { taskId }: JsonObject, caller: Caller): Promise<Result<Run, RpcError>> {
  if (typeof taskId !== 'string') return invalidParams('Invalid params: taskId must be a string');
  const run = isUuid(taskId) ? await runs.find(taskId, caller) : undefined;
  if (run === undefined || !hasStarted(caller, run)) return invalidParams(`Unknown task: ${echoText(taskId, 100)}`);
  return ok(run);
}

/** The same words whether it changed anything or not. */
const ACKNOWLEDGED: JsonObject = {};

async function get({ runs, ttlMs }: TaskPorts, run: Run, { context, caller }: Asked): Promise<MethodResult> {
  const questions = run.result === undefined ? await runs.questions(run.invocation.id, caller) : NO_QUESTIONS;
  return ok(detailedTask(run, ttlMs, questions, canShowForm(context)));
}

const NO_QUESTIONS: OpenQuestions = new Map();

/** Keys that are not asked for, or not any more, are ignored, whatever they hold. */
async function update(runs: Runs, { invocation }: Run, { params, caller }: Asked): Promise<MethodResult> {
  const { inputResponses } = params;
  if (!isRecord(inputResponses)) return invalidParams('Invalid params: inputResponses must be an object');
  await runs.reply(invocation.id, caller, new Map(Object.entries(inputResponses)));
  return ok(ACKNOWLEDGED);
}

async function cancel(runs: Runs, { invocation }: Run, { caller }: Asked): Promise<MethodResult> {
  await runs.cancel(invocation.id, caller);
  return ok(ACKNOWLEDGED);
}
