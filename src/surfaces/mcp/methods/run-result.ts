// The tool run_result: for clients that do not know tasks, the result of a run that outlived its call (J4).
import { type Caller, mayInvoke } from '../../../identity/caller.ts';
import { answerOf, CALL_WAIT_MS } from '../../../skills/durable/invoke-or-run.ts';
import { hasStarted } from '../../../skills/durable/run-rights.ts';
import type { Run } from '../../../skills/durable/runs.ts';
import { StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { echoText } from '../../../text/list-text.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { isUuid } from '../../../values/uuid.ts';
import type { RequestContext } from '../wire/method.ts';
import { RUN_RESULT, stillRuns } from './durable-call.ts';
import { invokerOf } from './invoker.ts';
import { skillResult } from './skill-answer.ts';
import type { TaskPorts } from './tasks.ts';
import { READ_ONLY, type Tool, type ToolResult, toolError } from './tool.ts';

export interface RunResultOptions extends TaskPorts {
  readonly runtime: Pick<Runtime, 'skills'>;
  readonly agent: string | undefined;
}

export const runResultTool = (options: RunResultOptions): Tool => ({
  name: RUN_RESULT,
  title: 'Result of a run',
  describe: () =>
    'The result of a skill that was still running when its call was answered, by the invocation id that the answer gave. ' +
    'Waits a while for the end; if it still runs then, says how far it has come. Only your own runs.',
  inputSchema: INPUT,
  annotations: READ_ONLY,
  isFor: (caller) => hasDurable(options.runtime, caller),
  call: (input, context) => resultOf(options, input, context),
});

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    invocation_id: { type: 'string', description: 'As the call was answered: 8-4-4-4-12 hexadecimal digits' },
  },
  required: ['invocation_id'],
  additionalProperties: false,
};

const hasDurable = ({ skills }: Pick<Runtime, 'skills'>, caller: Caller): boolean =>
  skills.some(({ durable, access }) => durable !== undefined && mayInvoke(caller, access));

async function resultOf(
  { runs, agent, onUnknown, waitMs = CALL_WAIT_MS }: RunResultOptions,
  input: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const { invocation_id: id, ...others } = input;
  if (typeof id !== 'string' || Object.keys(others).length > 0)
    return toolError(`Cannot look for a run: write ${RUN_RESULT} as { "invocation_id": "…" }`);
  const { caller } = invokerOf(context, agent);
  try {
    const known = isUuid(id) ? await runs.find(id.toLowerCase(), caller) : undefined;
    if (known === undefined || !hasStarted(caller, known)) {
      onUnknown?.(caller, RUN_RESULT, id);
      return unknownRun(id);
    }
    const run = await runs.wait(known.invocation.id, caller, { ms: waitMs, signal: context.signal });
    return run === undefined ? unknownRun(id) : shown(run);
  } catch (error) {
    if (error instanceof StoreUnavailable) return toolError(STORE_AWAY);
    throw error;
  }
}

const shown = (run: Run): ToolResult =>
  run.result === undefined ? stillRuns(run) : skillResult(answerOf(run, run.result));

const unknownRun = (id: string): ToolResult =>
  toolError(`NOT_FOUND: Cannot find a run: you started none with the invocation id "${echoText(id, 100)}"`);

const STORE_AWAY = 'PERSISTENCE_ERROR: Cannot look for the run: the store cannot be reached; try again later';
