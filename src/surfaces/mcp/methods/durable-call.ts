// A call of a typed skill that may outlive it: a task for clients that know tasks; others wait a while and are then told how to
// ask for the result (J4).
import type { Caller } from '../../../identity/caller.ts';
import type { RegisteredSkill } from '../../../skills/define/registered-skill.ts';
import { CALL_WAIT_MS, invokeOrRun, isWaitedFor } from '../../../skills/durable/invoke-or-run.ts';
import type { Run, RunRequest } from '../../../skills/durable/runs.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { declaresTasks } from '../wire/client-capabilities.ts';
import type { RequestContext } from '../wire/method.ts';
import { createdTask, statusMessageOf } from './run-task.ts';
import { idsOf, skillResult } from './skill-answer.ts';
import type { TaskPorts } from './tasks.ts';
import { type ToolAnswer, type ToolResult, textContent } from './tool.ts';

/** The tool that waits for a run that did not end in that time. */
export const RUN_RESULT = 'run_result';

export interface CallPorts {
  readonly runtime: Runtime;
  /** Absent where nothing is recorded: then nothing outlives a call. */
  readonly tasks: TaskPorts | undefined;
}

export type CallRequest = RunRequest & { readonly caller: Caller };

export async function callSkill(
  { runtime, tasks }: CallPorts,
  skill: RegisteredSkill,
  request: CallRequest,
  context: RequestContext,
): Promise<ToolAnswer> {
  if (tasks !== undefined && skill.durable !== undefined && declaresTasks(context)) return startTask(tasks, request);
  const patience = isWaitedFor(skill) ? { waitMs: tasks?.waitMs ?? CALL_WAIT_MS } : {};
  const invoked = await invokeOrRun({ runtime, runs: tasks?.runs }, { ...request, ...patience });
  return invoked.kind === 'answered' ? skillResult(invoked.answer) : stillRuns(invoked.run);
}

/** Also for one that ends at once: it is stored, and a client that knows tasks looks there. */
async function startTask({ runs, ttlMs }: TaskPorts, request: CallRequest): Promise<ToolAnswer> {
  const started = await runs.start(request);
  if (started.state !== 'stored') return skillResult(started.answer);
  const { id, correlationId } = started.run.invocation;
  // A task has no content: the wire knows it by its type.
  return { ...createdTask(started.run, ttlMs), _meta: idsOf(id, correlationId) } as unknown as ToolResult;
}

/** Not a failure: the run goes on. */
export function stillRuns(run: Run): ToolResult {
  const { id, correlationId, skillName } = run.invocation;
  const message = statusMessageOf(run);
  const text = [
    `${skillName} has not ended yet${message === undefined ? '' : ` (${message})`}. It goes on: nothing has to be called again.`,
    `Its result: call ${RUN_RESULT} with ${JSON.stringify({ invocation_id: id })}.`,
  ];
  return { content: [textContent(text.join('\n'))], _meta: idsOf(id, correlationId) };
}
