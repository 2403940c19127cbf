// One 2025-era session as this process holds it: when it was last used, with which credential and which rights.
import { type Caller, rightsKey } from '../../../identity/caller.ts';
import { digestOf } from '../../../identity/token.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import type { McpSession } from './mcp-session.ts';

export interface Held {
  readonly session: McpSession;
  /** Of its id. Only asked for where replicas share their sessions. */
  readonly digest: string;
  readonly openedAt: number;
  usedAt: number;
  /** Since the other replicas were told of the last use. */
  isUsed: boolean;
  /** Of its last request: the session ends with that, unless a newer one was used. */
  credential: HeldCredential | undefined;
  /** What its caller may invoke: the list of tools that it knows is for that. */
  rights: string;
  stopWatching: () => void;
}

export interface HeldCredential {
  readonly text: string;
  /** Made with the id of the session, which is stored nowhere: it can be compared, and nothing else. */
  readonly digest: string;
}

export function holdSession(session: McpSession, rights: string, openedAt: number): Held {
  return {
    session,
    get digest() {
      return session.digest;
    },
    openedAt,
    usedAt: openedAt,
    isUsed: true,
    credential: undefined,
    rights,
    stopWatching: () => undefined,
  };
}

/** Who may invoke other skills than before is shown other tools (X10). */
export function noteRights(held: Held, caller: Caller): void {
  const rights = rightsKey(caller);
  if (rights === held.rights) return;
  held.rights = rights;
  held.session.changeRights(caller);
}

/** What the request came with; undefined: nothing (`--no-auth`). */
export const credentialIn = ({ request: { headers } }: AdmittedRequest): string | undefined =>
  headers.authorization ?? headers.cookie;

export const heldCredential = ({ id }: McpSession, text: string | undefined): HeldCredential | undefined =>
  text === undefined
    ? undefined
    : {
        text,
        get digest() {
          return digestOf(`${id} ${text}`);
        },
      };
