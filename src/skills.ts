// The library's entry for running typed skills, `repertoire/skills`: every public name, listed by hand.
// Apart from the main entry because it loads the schema library: whoever only reads documents does not pay for that.

export {
  type Access,
  agentCaller,
  type Caller,
  type CallerKind,
  LOCAL_OPERATOR,
  type Scope,
  userCaller,
} from './identity/caller.ts';
export {
  type ChainResult,
  chain,
  type ParallelResult,
  parallel,
  type Step,
  type StepFailure,
} from './skills/compose.ts';
export {
  type AnySkill,
  type Category,
  defineSkill,
  type SkillAnnotations,
  type SkillDefinition,
  type SkillInput,
  type SkillLimits,
  type SkillOutput,
  type StepIn,
} from './skills/define-skill.ts';
export { type DefinitionJson, definitionJson } from './skills/definition-json.ts';
export type { DefinitionProblem } from './skills/definition-problems.ts';
export {
  FAILURE_MODES,
  type Failure,
  type FailureCode,
  type FailureMode,
  type FailureParameters,
  type Severity as FailureSeverity,
  type UndeclaredCode,
} from './skills/failure.ts';
export type { Invocation, InvocationResult, InvocationStatus, JsonRecord } from './skills/invocation.ts';
export type { InvocationEvent, InvocationListener } from './skills/invocation-events.ts';
export {
  BadCursor,
  type InvocationLog,
  type InvocationPage,
  type InvocationQuery,
  type InvocationStats,
  type LoggedInvocation,
  type SkillStats,
  StoreUnavailable,
} from './skills/invocation-log.ts';
export { invokerOf } from './skills/invoker.ts';
export type { LogPolicy } from './skills/recorder.ts';
export type { RegisteredSkill } from './skills/registered-skill.ts';
export { type ResultJson, resultJson } from './skills/result-json.ts';
export { createRuntime, type Runtime, type RuntimeOptions } from './skills/runtime.ts';
export type { RuntimeEvent, RuntimeLog } from './skills/runtime-log.ts';
export type { JsonSchema } from './skills/schema/json-schema.ts';
export type { SkillSchema } from './skills/schema/schema-form.ts';
export { secret } from './skills/secrets/secret.ts';
export type { InvokeRequest } from './skills/session.ts';
export type { Answer, InvokeStep, Progress, SkillContext } from './skills/skill-context.ts';
export { failure, type SkillFailure } from './skills/skill-failure.ts';
