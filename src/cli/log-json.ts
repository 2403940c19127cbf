// Entries of the log as JSON: the keys of the contracts (X2, X3, D9). Pure.
import type { LoggedInvocation } from '../execution/invocation-log.ts';
import { resultJson } from '../execution/result-json.ts';
import type { Load } from '../load-log.ts';

export const invocationJson = ({ invocation, result }: LoggedInvocation) => ({
  id: invocation.id,
  skill_name: invocation.skillName,
  input_payload: invocation.inputPayload,
  invoking_agent: invocation.invokingAgent,
  correlation_id: invocation.correlationId,
  timestamp: invocation.timestamp.toISOString(),
  status: invocation.status,
  result: result === undefined ? null : resultJson(result),
});

export const loadJson = ({ skillName, digest, client, surface, loadedAt }: Load) => ({
  skill_name: skillName,
  digest,
  client,
  surface,
  loaded_at: loadedAt.toISOString(),
});
