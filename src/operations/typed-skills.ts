// Typed skills: what they take and give, and running one (X1, X3).
import { agentCaller, mayInvoke } from '../identity/caller.ts';
import { CATEGORIES } from '../skills/define/define-skill.ts';
import { resultJson, type SkillAnswer } from '../skills/define/invocation.ts';
import { definitionJson, type RegisteredSkill } from '../skills/define/registered-skill.ts';
import { invokeOrRun } from '../skills/durable/invoke-or-run.ts';
import type { Run, Runs } from '../skills/durable/runs.ts';
import type { Runtime } from '../skills/run/runtime.ts';
import { echoText } from '../text/list-text.ts';
import { ok } from '../values/result.ts';
import { ANY_INVOKER } from './access.ts';
import { correlationId, failure, failureCode, severity } from './failure-shape.ts';
import { type Asking, nothingFound, operation } from './operation.ts';
import { filter } from './parameters.ts';
import { parsePrefer } from './prefer.ts';
import {
  choice,
  decimal,
  described,
  either,
  exactly,
  flag,
  list,
  moment,
  object,
  record,
  type TypeOf,
  text,
  whole,
} from './shape.ts';

export interface TypedPorts {
  readonly runtime: Runtime;
  /** Absent with `--no-log`. */
  readonly runs: Runs | undefined;
}

const definition = record({
  name: text(),
  description: text(),
  category: choice(CATEGORIES),
  assigned_to: list(text()).about('Roles that may invoke it; empty: every agent'),
  input_schema: object.about('JSON Schema'),
  output_schema: object.about('JSON Schema'),
  success_criteria: list(text()),
  failure_modes: list(failureCode),
  timeout_seconds: whole(),
  durable: record({ idempotent: flag, attempts: whole({ least: 1 }), backoff_seconds: decimal(), resumes: flag })
    .about('Its runs survive the death of every process; absent where they end with it')
    .optional(),
  approval: exactly('required').about('Each run waits until a person has allowed it').optional(),
  limits: record({
    per_minute: whole({ least: 1 }).about('Calls of one caller').optional(),
    at_once: whole({ least: 1 }).about('Of all callers together').optional(),
  })
    .about('Only those that it has')
    .optional(),
})
  .about('A typed skill')
  .named('Definition');

const definitions = record({ skills: list(definition) }).named('DefinitionList');

const ending = { invocation_id: text(), duration_ms: decimal({ least: 0 }), timestamp: moment };

const nothing = exactly(null);

const succeeded = {
  ...ending,
  success: exactly(true),
  output_payload: object,
  failure_code: nothing,
  failure_message: nothing,
  failure_details: nothing,
  severity: nothing,
  suggested_action: nothing,
};

const failed = {
  ...ending,
  success: exactly(false),
  output_payload: nothing,
  failure_code: failureCode,
  failure_message: text(),
  failure_details: object.nullable(),
  severity,
  suggested_action: text(),
};

export const invocationResult = either(record(succeeded), record(failed))
  .about('The one result of an invocation')
  .named('InvocationResult');

const invocationAnswer = record({ ...succeeded, correlation_id: correlationId })
  .about('A result, and the id that it is in the log under')
  .named('InvocationAnswer');

const failedAnswer = record({ ...failed, correlation_id: correlationId });

/** A skill that failed says so in its result; a request that never reached one has H3's body. */
const invocationFailure = either(failedAnswer, failure)
  .about('The failed result, or what was wrong before a skill was reached')
  .named('InvocationFailure');

const API = { tag: 'typed skills' } as const;

const skillName = text().about('Name of the skill');

/** The runtime checks it, and records what is wrong with it (X2). */
const skillInput = described<unknown>({ type: 'object' })
  .about('The input, as the input_schema of the skill says')
  .optional();

const skillNotFound = (name: string) => nothingFound(`skill ${JSON.stringify(echoText(name, 64))}`);

/** What a caller may not invoke is as if it were not there (X10). */
function findShown(name: string, { caller }: Asking, { runtime }: TypedPorts): RegisteredSkill | undefined {
  const skill = runtime.find(name);
  return skill !== undefined && mayInvoke(caller, skill.access) ? skill : undefined;
}

export const listTypedSkills = operation({
  id: 'list_typed_skills',
  summary: 'The typed skills that the caller may invoke, with their schemas',
  access: ANY_INVOKER,
  input: {
    category: choice(CATEGORIES).about('Only of this category').optional(),
    agent: filter('Only what an agent of this role may invoke'),
  },
  output: definitions,
  isKept: () => true,
  run: ({ category, agent }, { caller }, { runtime }: TypedPorts) => {
    const callers = agent === undefined ? [caller] : [caller, agentCaller(agent)];
    return ok(
      runtime.skills.filter(
        (skill) =>
          (category === undefined || skill.category === category) &&
          callers.every((each) => mayInvoke(each, skill.access)),
      ),
    );
  },
  project: (skills) => ({ skills: skills.map(definitionJson) }),
  http: { ...API, id: 'listTypedSkills', method: 'GET', path: '/api/typed-skills', answer: 'The definitions' },
});

export const getTypedSkill = operation({
  id: 'get_typed_skill',
  summary: 'One typed skill that the caller may invoke, with its schemas',
  access: ANY_INVOKER,
  input: { name: skillName },
  output: definition,
  isKept: () => true,
  run: ({ name }, asking, ports: TypedPorts) => {
    const skill = findShown(name, asking, ports);
    return skill === undefined ? skillNotFound(name) : ok(skill);
  },
  project: definitionJson,
  http: {
    ...API,
    id: 'getTypedSkill',
    method: 'GET',
    path: '/api/typed-skills/{name}',
    answer: 'The definition',
    failures: [404],
  },
});

export const accepted = record({
  invocation_id: text(),
  status: choice(['pending', 'running']),
  correlation_id: correlationId,
})
  .about('A run that has not ended yet; GET the address in Location to see how it stands')
  .named('AcceptedInvocation');

export const invokeSkill = operation({
  id: 'invoke_skill',
  summary: 'Run a typed skill and wait for its result, or, if it is durable, ask for it later',
  access: ANY_INVOKER,
  input: { name: skillName, input: skillInput },
  output: either(either(invocationAnswer, failedAnswer), accepted),
  isLong: true,
  run: async ({ name, input }, asking, { runtime, runs }: TypedPorts) => {
    const { caller, correlationId: id, signal, span, prefer, idempotencyKey } = asking;
    const skill = runtime.find(name);
    if (skill === undefined) return skillNotFound(name);
    const request = { name, input, caller, correlationId: id, signal, span, idempotencyKey };
    // What is not durable is waited for, whatever is preferred (J2).
    const waitMs = skill.durable === undefined ? undefined : parsePrefer(prefer).waitMs;
    return ok(await invokeOrRun({ runtime, runs }, { ...request, waitMs }));
  },
  project: (invoked) => (invoked.kind === 'answered' ? answerJson(invoked.answer) : acceptedJson(invoked.run)),
  http: {
    ...API,
    id: 'invokeTypedSkill',
    method: 'POST',
    path: '/api/typed-skills/{name}/invoke',
    body: 'input',
    headers: {
      'X-Correlation-Id': '8-4-4-4-12 hexadecimal digits; made when left out',
      'X-Invoking-Agent': 'Who invokes; believed only where the server asks for no credential',
      Prefer:
        '`respond-async`: of a durable skill, answer 202 at once; with `, wait=N`, after at most N seconds (60 at most)',
      'Idempotency-Key':
        '1 to 255 visible characters. The same key and input of one caller give the same invocation for 24 hours',
    },
    answer: 'It succeeded',
    output: invocationAnswer,
    otherAnswers: { 202: { answer: 'It runs, or waits to run; Location says where to look for it', output: accepted } },
    failures: [404, 409, 502, 503, 504],
    failureOutput: invocationFailure,
    failureIn: (invoked) =>
      invoked.kind === 'accepted' || invoked.answer.success ? undefined : invoked.answer.failure,
    replyOf: (invoked, { prefer }) =>
      invoked.kind === 'answered'
        ? { ...(invoked.isConflict && { status: 409 }) }
        : { status: 202, headers: { Location: `/api/invocations/${invoked.run.invocation.id}`, ...applied(prefer) } },
  },
});

/** Which of the preferences decided what is answered (RFC 7240). */
function applied(prefer: string | undefined): Readonly<Record<string, string>> {
  const { waitMs, isGiven } = parsePrefer(prefer);
  if (waitMs === undefined) return {};
  return { 'Preference-Applied': isGiven ? `respond-async, wait=${waitMs / 1_000}` : 'respond-async' };
}

const acceptedJson = ({ invocation }: Run): TypeOf<typeof accepted> => ({
  invocation_id: invocation.id,
  // It has not ended.
  status: invocation.status as 'pending' | 'running',
  correlation_id: invocation.correlationId,
});

type AnswerJson = TypeOf<typeof invocationAnswer> | TypeOf<typeof failedAnswer>;

export function answerJson(answer: SkillAnswer): AnswerJson {
  // `success` decides what the other keys hold.
  return { ...resultJson(answer), correlation_id: answer.correlationId } as AnswerJson;
}
