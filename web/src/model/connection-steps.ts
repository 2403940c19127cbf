// How far a host has come: connected, tools listed, first skill read. Pure.
import { plural } from '../text/format.ts';
import type { Connection, DocumentList, Host } from './shapes.ts';

export interface ConnectionStep {
  readonly key: string;
  readonly text: string;
  /** `now`: the one that is waited for. */
  readonly state: 'done' | 'now' | 'later';
}

/** The newest of the host itself, or of any other client that has its token. */
export function findConnection(connections: readonly Connection[], host: Host): Connection | undefined {
  const others = connections.filter(({ client }) => !isOurs(client));
  return others.find(({ client }) => isOfHost(client, host)) ?? others[0];
}

/** Of this machine, where callers have no tokens: only a name tells which client it is. */
export function findByName(connections: readonly Connection[], host: Host): Connection | undefined {
  if (host.client_names.length === 0) return findConnection(connections, host);
  return connections.find(({ client }) => isOfHost(client, host));
}

/** `connect` may try the address before it writes it down. */
const isOurs = (client: string): boolean => /^repertoire\b/.test(client);

function isOfHost(client: string, { client_names }: Host): boolean {
  const name = client.toLowerCase();
  return client_names.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known));
}

/** A file without a usable name is listed with `null` (T2). */
export const findFirstName = (
  documents: readonly Pick<DocumentList['documents'][number], 'name'>[],
): string | undefined => documents.find(({ name }) => name !== null)?.name ?? undefined;

/** `name`: of the host, in the middle of a sentence. */
export function stepsOf(connection: Connection | undefined, host: Host, name: string): readonly ConnectionStep[] {
  const { client = '', version = '', tools = null, first_read = null } = connection ?? {};
  const shown = isOfHost(client, host) ? host.title : client;
  const steps = [
    {
      key: 'connected',
      done: connection === undefined ? undefined : `Connected: ${shown} ${version}`.trim(),
      now: `Waiting for ${name}…`,
      later: 'Connected',
    },
    {
      key: 'tools',
      done: tools === null ? undefined : `${plural(tools, 'tool')} listed`,
      now: 'Waiting for it to list the tools…',
      later: 'Tools listed',
    },
    {
      key: 'read',
      done: first_read === null ? undefined : `First skill read: ${first_read.skill_name}`,
      now: 'Waiting for it to read a skill…',
      later: 'First skill read',
    },
  ];
  const waiting = steps.find(({ done }) => done === undefined);
  return steps.map((step) => {
    if (step.done !== undefined) return { key: step.key, text: step.done, state: 'done' };
    return step === waiting
      ? { key: step.key, text: step.now, state: 'now' }
      : { key: step.key, text: step.later, state: 'later' };
  });
}
