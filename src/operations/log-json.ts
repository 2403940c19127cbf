// Entries of the log as JSON, on the command line and over the API: the keys of the contracts (X2, X3, D9). Pure.
import type { Load } from '../repertoire/load-log.ts';
import { type Invocation, resultJson } from '../skills/define/invocation.ts';
import type { LoggedInvocation } from '../skills/record/invocation-log.ts';
import type { TypeOf } from './shape.ts';
import type { invocationResult } from './typed-skills.ts';

type ResultShape = TypeOf<typeof invocationResult>;

export const loggedInvocationJson = ({ invocation, result }: LoggedInvocation) => ({
  ...invocationJson(invocation),
  result: resultOrNull(result),
});

export const invocationJson = (invocation: Invocation) => ({
  id: invocation.id,
  skill_name: invocation.skillName,
  input_payload: invocation.inputPayload,
  invoking_agent: invocation.invokingAgent,
  correlation_id: invocation.correlationId,
  timestamp: invocation.timestamp.toISOString(),
  status: invocation.status,
});

/** While it runs there is none. */
export const resultOrNull = (result: LoggedInvocation['result']): ResultShape | null =>
  // `success` decides what the other keys hold.
  result === undefined ? null : (resultJson(result) as ResultShape);

export const loadJson = ({ skillName, digest, client, surface, loadedAt }: Load) => ({
  skill_name: skillName,
  digest,
  client,
  surface,
  loaded_at: loadedAt.toISOString(),
});
