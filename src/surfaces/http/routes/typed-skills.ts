// `/api/typed-skills`: definitions, and running one (H2, X1, X3).

import { resultJson, type SkillAnswer } from '../../../skills/define/invocation.ts';
import { definitionJson } from '../../../skills/define/registered-skill.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { listText } from '../../../text/list-text.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { HTTP_STATUS } from '../message/failure-reply.ts';
import { type Content, json, notFound, type Reply } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import { parseBody, whileClientWaits } from './handler.ts';

type TypedHandlers = Pick<Handlers, 'listTypedSkills' | 'getTypedSkill' | 'invokeTypedSkill'>;

export function typedSkillHandlers(runtime: Runtime): TypedHandlers {
  // Definitions do not change while the process runs.
  const list = json({ skills: runtime.skills.map(definitionJson) });
  const byName = new Map(runtime.skills.map((skill) => [skill.name, json(definitionJson(skill))]));
  return {
    listTypedSkills: () => list,
    getTypedSkill: ({ parts: [name = ''] }) => byName.get(name) ?? skillNotFound(name),
    invokeTypedSkill: async ({ admitted, parts: [name = ''] }) => {
      if (runtime.find(name) === undefined) return skillNotFound(name);
      const body = parseBody(admitted.body);
      return body.ok ? answerReply(await invoke(runtime, name, body.value, admitted)) : body.failure;
    },
  };
}

const skillNotFound = (name: string): Reply => notFound(`skill ${JSON.stringify(listText(name, 64))}`);

function invoke(runtime: Runtime, name: string, input: unknown, admitted: AdmittedRequest): Promise<SkillAnswer> {
  const { request, response, caller } = admitted;
  const given = request.headers['x-correlation-id'];
  // As it came, right or wrong: a wrong one is the runtime's to refuse and to record (X2).
  const correlationId = given === undefined ? admitted.correlationId : String(given);
  return whileClientWaits(response, (signal) => runtime.invoke({ name, input, caller, correlationId, signal }));
}

function answerReply(answer: SkillAnswer): Content {
  const status = answer.success ? 200 : HTTP_STATUS[answer.failure.code];
  const { headers, body } = json({ ...resultJson(answer), correlation_id: answer.correlationId });
  return { status, headers: { ...headers, ...retryAfter(answer) }, body };
}

function retryAfter(answer: SkillAnswer): Readonly<Record<string, string>> {
  if (answer.success || answer.failure.code !== 'RATE_EXCEEDED') return {};
  const seconds = Number(answer.failure.details?.retry_after);
  return { 'Retry-After': String(Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1) };
}
