// The library's entry for running typed skills, `repertoire/skills`: every public name, listed by hand.
// Apart from the main entry because it loads the schema library: a program that only reads documents does not pay for that.

export {
  type Access,
  agentCaller,
  type Caller,
  type CallerKind,
  LOCAL_OPERATOR,
  type Scope,
  userCaller,
} from './identity/caller.ts';
export type { JsonRecord, JsonSchema } from './skills/check/json-schema.ts';
export type { SkillSchema } from './skills/check/schema-form.ts';
export {
  type AnySkill,
  type Category,
  type DurableOptions,
  defineSkill,
  type InvokeStep,
  type Progress,
  type SkillAnnotations,
  type SkillContext,
  type SkillDefinition,
  type SkillInput,
  type SkillLimits,
  type SkillOutput,
  type StepIn,
  type StepOptions,
} from './skills/define/define-skill.ts';
export type { DefinitionProblem } from './skills/define/definition-problems.ts';
export {
  FAILURE_MODES,
  type Failure,
  type FailureCode,
  type FailureMode,
  type FailureParameters,
  type FailureSeverity,
  failure,
  type SkillFailure,
  type UndeclaredCode,
} from './skills/define/failure.ts';
export {
  type Invocation,
  type InvocationResult,
  type InvocationStatus,
  type ResultJson,
  resultJson,
  type SkillAnswer as Answer,
} from './skills/define/invocation.ts';
export type { AskPerson, Question, Reply } from './skills/define/question.ts';
export { type DefinitionJson, definitionJson, type RegisteredSkill } from './skills/define/registered-skill.ts';
export { secret } from './skills/define/secret.ts';
export type { InvocationEvent, InvocationListener } from './skills/record/invocation-events.ts';
export {
  BadCursor,
  type InvocationLog,
  type InvocationPage,
  type InvocationQuery,
  type InvocationStats,
  type KeyedStats,
  type LoggedInvocation,
  type SkillStats,
  StoreUnavailable,
} from './skills/record/invocation-log.ts';
export type { LogPolicy } from './skills/record/recorder.ts';
export type { RuntimeEvent, RuntimeLog } from './skills/record/runtime-log.ts';
export type { InvokeRequest } from './skills/run/active-invocation.ts';
export {
  type ChainResult,
  chain,
  invokerOf,
  type ParallelResult,
  parallel,
  type Step,
  type StepFailure,
} from './skills/run/compose.ts';
export { createRuntime, type Runtime, type RuntimeOptions } from './skills/run/runtime.ts';
export type { Span } from './values/trace.ts';
