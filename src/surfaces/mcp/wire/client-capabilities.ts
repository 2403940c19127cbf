// What a client declares that it can do, on every request (2026-07-28), and how a request is refused that needs more.
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { rpcCode } from './json-rpc.ts';
import type { RequestContext, RpcError } from './method.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

type Declared = Pick<RequestContext, 'era' | 'client'>;

/** Whether a call may be answered with a task. The 2025 protocols have no such extension, whatever a client of theirs declares. */
export const declaresTasks = ({ era, client }: Declared): boolean => {
  const { extensions } = client.capabilities;
  return era === 'modern' && isRecord(extensions) && isDeclared(extensions, TASKS_EXTENSION);
};

/** Whether a person can be shown a form: without a mode it is this one. */
export function canShowForm({ era, client }: Declared): boolean {
  const { elicitation } = client.capabilities;
  if (era !== 'modern' || !isRecord(elicitation)) return false;
  return isDeclared(elicitation, 'form') || !isDeclared(elicitation, 'url');
}

/** Whether a person can be sent to a page: the only way to ask for a secret. */
export function canShowUrl({ era, client }: Declared): boolean {
  const { elicitation } = client.capabilities;
  return era === 'modern' && isRecord(elicitation) && isDeclared(elicitation, 'url');
}

/** Absent and `null` are no declaration. */
export const isDeclared = (capabilities: JsonObject, name: string): boolean =>
  Object.hasOwn(capabilities, name) && isRecord(capabilities[name]);

/** `needed`: in the form in which a client would declare it. */
export const missingCapability = (message: string, needed: JsonObject): RpcError => ({
  code: rpcCode.missingCapability,
  message,
  data: { requiredCapabilities: needed },
});

export const needsTasks = (what: string): RpcError =>
  missingCapability(`${what} needs a client that declares the extension ${TASKS_EXTENSION}`, {
    extensions: { [TASKS_EXTENSION]: {} },
  });
