// A change in what we serve, as the notification that tells clients of it: the same words in both eras.
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { ServerEvent } from './method.ts';

export const LIST_KINDS = ['tools', 'prompts', 'resources'] as const;

export type ListKind = (typeof LIST_KINDS)[number];

export function eventMethod(event: ServerEvent): string {
  return event.kind === 'resource' ? 'notifications/resources/updated' : `notifications/${event.kind}/list_changed`;
}

export function eventParams(event: ServerEvent): JsonObject {
  return event.kind === 'resource' ? { uri: event.uri } : {};
}

/** Events with the same key say the same thing: one of them is enough. */
export function eventKey(event: ServerEvent): string {
  return event.kind === 'resource' ? `resource ${event.uri}` : event.kind;
}

/** Whether the server declared that it announces changes of this list. */
export function announcesList(capabilities: JsonObject, kind: ListKind): boolean {
  const capability = capabilities[kind];
  return isRecord(capability) && capability.listChanged === true;
}

/** Whether the server declared that single resources can be subscribed to. */
export function announcesResources(capabilities: JsonObject): boolean {
  return isRecord(capabilities.resources) && capabilities.resources.subscribe === true;
}
