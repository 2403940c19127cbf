// The library's entry for running typed skills, `repertoire/skills`: every public name, listed by hand.
// Apart from the main entry because it loads the schema library: whoever only reads documents does not pay for that.
export {
  type ChainResult,
  chain,
  type ParallelResult,
  parallel,
  type Step,
  type StepFailure,
} from './execution/compose.ts';
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
} from './execution/define-skill.ts';
export { type DefinitionJson, definitionJson } from './execution/definition-json.ts';
export type { DefinitionProblem } from './execution/definition-problems.ts';
export {
  FAILURE_MODES,
  type Failure,
  type FailureCode,
  type FailureMode,
  type FailureParameters,
  type Severity as FailureSeverity,
  type UndeclaredCode,
} from './execution/failure.ts';
export type { Invocation, InvocationResult, InvocationStatus, JsonRecord } from './execution/invocation.ts';
export type { InvocationEvent, InvocationListener } from './execution/invocation-events.ts';
export {
  BadCursor,
  type InvocationLog,
  type InvocationPage,
  type InvocationQuery,
  type InvocationStats,
  type LoggedInvocation,
  type SkillStats,
  StoreUnavailable,
} from './execution/invocation-log.ts';
export { invokerOf } from './execution/invoker.ts';
export type { LogPolicy } from './execution/recorder.ts';
export type { RegisteredSkill } from './execution/registered-skill.ts';
export { type ResultJson, resultJson } from './execution/result-json.ts';
export { createRuntime, type Runtime, type RuntimeOptions } from './execution/runtime.ts';
export type { RuntimeEvent, RuntimeLog } from './execution/runtime-log.ts';
export type { JsonSchema } from './execution/schema/json-schema.ts';
export type { SkillSchema } from './execution/schema/schema-form.ts';
export { secret } from './execution/secrets/secret.ts';
export type { InvokeRequest } from './execution/session.ts';
export type { Answer, InvokeStep, Progress, SkillContext } from './execution/skill-context.ts';
export { failure, type SkillFailure } from './execution/skill-failure.ts';
export {
  type Access,
  agentCaller,
  type Caller,
  type CallerKind,
  LOCAL_OPERATOR,
  type Scope,
  userCaller,
} from './identity/caller.ts';
