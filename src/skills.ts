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
  defineSkill,
  type SkillDefinition,
  type SkillInput,
  type SkillLimits,
  type SkillOutput,
} from './execution/define-skill.ts';
export { type DefinitionJson, definitionJson } from './execution/definition-json.ts';
export type { DefinitionProblem } from './execution/definition-problems.ts';
export { FAILURE_MODES, type Failure, type FailureCode } from './execution/failure.ts';
export type { Invocation, InvocationResult } from './execution/invocation.ts';
export type { InvocationEvent } from './execution/invocation-events.ts';
export type { InvocationLog } from './execution/invocation-log.ts';
export { invokerOf } from './execution/invoker.ts';
export type { RegisteredSkill } from './execution/registered-skill.ts';
export { type ResultJson, resultJson } from './execution/result-json.ts';
export { createRuntime, type Runtime, type RuntimeOptions } from './execution/runtime.ts';
export { secret } from './execution/secrets/secret.ts';
export type { InvokeRequest } from './execution/session.ts';
export type { Answer, InvokeStep, Progress, SkillContext } from './execution/skill-context.ts';
export { failure, type SkillFailure } from './execution/skill-failure.ts';
export { agentCaller, type Caller, type CallerKind, LOCAL_OPERATOR, userCaller } from './identity/caller.ts';
