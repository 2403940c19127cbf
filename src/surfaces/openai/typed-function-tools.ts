// Typed skills as function tools: the function's name is the skill's, its answer the bare output (T11). One whose run survives is
// waited for a while; then the answer says that it goes on, and `run_result` gives its end (J1, J8).
import { LOCAL_OPERATOR, mayInvoke } from '../../identity/caller.ts';
import { FAILURE_MODES } from '../../skills/define/failure.ts';
import type { SkillAnswer } from '../../skills/define/invocation.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { answerOf, CALL_WAIT_MS, invokeOrRun, isWaitedFor } from '../../skills/durable/invoke-or-run.ts';
import { hasStarted } from '../../skills/durable/run-rights.ts';
import type { Run, Runs } from '../../skills/durable/runs.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { echoText } from '../../text/list-text.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { isUuid } from '../../values/uuid.ts';
import { type DispatchContext, type FunctionTool, strictDefinition } from './function-tool.ts';
import { strictFaults } from './strict-mode.ts';

export interface TypedPorts {
  readonly runtime: Pick<Runtime, 'skills' | 'invoke'>;
  /** Absent where nothing outlives a call. */
  readonly runs: Runs | undefined;
  /** So long a run is waited for. */
  readonly waitMs?: number | undefined;
}

export function typedFunctionTools(ports: TypedPorts): readonly FunctionTool[] {
  const durable = ports.runs === undefined ? [] : ports.runtime.skills.filter((skill) => skill.durable !== undefined);
  return [
    ...ports.runtime.skills.map((skill) => typedFunctionTool(skill, ports)),
    ...(ports.runs === undefined || durable.length === 0 ? [] : [runResult(ports.runs, durable, ports.waitMs)]),
  ];
}

function typedFunctionTool(skill: RegisteredSkill, { runtime, runs, waitMs = CALL_WAIT_MS }: TypedPorts): FunctionTool {
  const { name, description, access, input } = skill;
  const { json: parameters } = input;
  const find = (asked: string) => (asked === name ? skill : undefined);
  return {
    definition: {
      type: 'function',
      // A schema with ranges, patterns or optional fields would make a provider refuse the whole request.
      function: { name, description, parameters, strict: strictFaults(parameters).length === 0 },
    },
    isFor: (caller) => mayInvoke(caller, access),
    example: 'an object that fits its parameters',
    // The runtime checks the input, and tells of unknown fields with everything else that is wrong (X5).
    fields: undefined,
    call: async (given, { caller = LOCAL_OPERATOR, correlationId, signal, span }) => {
      const patience = isWaitedFor(skill) ? { waitMs } : {};
      const request = { name, input: given, caller, correlationId, signal, span, ...patience };
      const invoked = await invokeOrRun({ runtime: { find, invoke: runtime.invoke }, runs }, request);
      return invoked.kind === 'answered' ? answered(invoked.answer) : ok(stillRuns(invoked.run));
    },
  };
}

const RUN_RESULT = 'run_result';

const runResult = (runs: Runs, durable: readonly RegisteredSkill[], waitMs = CALL_WAIT_MS): FunctionTool => ({
  definition: strictDefinition(
    RUN_RESULT,
    'The result of a skill that was still running when its call was answered, by the invocation_id of that answer. ' +
      'Waits a while for the end. Only your own runs.',
    { invocation_id: { type: 'string', description: 'As the call was answered' } },
  ),
  isFor: (caller) => durable.some(({ access }) => mayInvoke(caller, access)),
  example: '{ "invocation_id": "…" }',
  fields: ['invocation_id'],
  call: async ({ invocation_id: id }, context) => {
    if (typeof id !== 'string') return fail('Cannot look for a run: invocation_id is not a string');
    try {
      return await resultOf(runs, id, waitMs, context);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return fail('PERSISTENCE_ERROR: Cannot look for the run: the store cannot be reached; try again later');
    }
  },
});

async function resultOf(
  runs: Runs,
  id: string,
  ms: number,
  { caller = LOCAL_OPERATOR, signal }: DispatchContext,
): Promise<Result<JsonObject, string>> {
  const known = isUuid(id) ? await runs.find(id.toLowerCase(), caller) : undefined;
  const patience = { ms, ...(signal !== undefined && { signal }) };
  const run = known && hasStarted(caller, known) ? await runs.wait(known.invocation.id, caller, patience) : undefined;
  if (run === undefined)
    return fail(`NOT_FOUND: Cannot find a run: you started none with the invocation id "${echoText(id, 100)}"`);
  return run.result === undefined ? ok(stillRuns(run)) : answered(answerOf(run, run.result));
}

/** Not a failure: the run goes on. */
const stillRuns = ({ invocation, approval }: Run): JsonObject => ({
  status: invocation.status,
  invocation_id: invocation.id,
  correlation_id: invocation.correlationId,
  message:
    `${invocation.skillName} ${approval?.state === 'waiting' ? 'waits for the approval of a person' : 'has not ended yet'}. ` +
    `It goes on: nothing has to be called again. Its result: call ${RUN_RESULT} with this invocation_id.`,
});

const answered = (answer: SkillAnswer): Result<JsonObject, string> =>
  answer.success ? ok(answer.outputPayload) : fail(explain(answer));

/** What a model needs to go on: the code, what happened, what to do, and the id under which it is in the log. */
function explain({ failure, correlationId }: Extract<SkillAnswer, { success: false }>): string {
  const { suggestedAction } = FAILURE_MODES[failure.code];
  return `${failure.code}: ${failure.message}. ${suggestedAction} (correlation id ${correlationId})`;
}
