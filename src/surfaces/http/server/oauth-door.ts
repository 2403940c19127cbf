// What the guard knows of sign-in by OAuth: which paths are the authorization server's, what they take, and how this server is
// a protected resource (O1, O3). Who answers there is loaded with the first request to one of them.
import { networkOf } from '../../../values/ip-address.ts';
import type { ReceivedRequest } from './received-request.ts';
import { originOf, type Protection } from './well-known.ts';

/** As the authorization server is asked. */
export interface DoorRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: ReceivedRequest['request']['headers'];
  readonly body: string;
  readonly peer: string;
  readonly remote: boolean;
  readonly origin: string;
  readonly signal: AbortSignal;
  /** It brought a credential that is none. Seconds to wait, when there were too many before it. */
  readonly noteBad: () => Promise<number | undefined>;
}

export interface DoorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OAuthDoor {
  readonly protection: Protection;
  readonly handles: (path: string) => boolean;
  /** Absent: it is none of its paths. */
  readonly methodsOf: (path: string) => readonly string[] | undefined;
  /** Form encoding, in place of JSON. */
  readonly takesForm: (path: string) => boolean;
  /** Another site may lead a person there. */
  readonly isPage: (path: string) => boolean;
  readonly answer: (
    received: ReceivedRequest,
    rest: Pick<DoorRequest, 'body' | 'signal' | 'noteBad'>,
  ) => Promise<DoorReply>;
}

export interface DoorPaths {
  /** Each with the methods that it takes. */
  readonly all: Readonly<Record<string, readonly string[]>>;
  readonly forms: readonly string[];
  readonly page: string;
}

export function createOAuthDoor(
  protection: Protection,
  paths: DoorPaths,
  answer: (request: DoorRequest) => Promise<DoorReply>,
): OAuthDoor {
  const [all, forms] = [new Map(Object.entries(paths.all)), new Set(paths.forms)];
  return {
    protection,
    handles: (path) => all.has(path),
    methodsOf: (path) => all.get(path),
    takesForm: (path) => forms.has(path),
    isPage: (path) => path === paths.page,
    answer: ({ request, path, address, remote }, rest) => {
      const { url = '', method = '', headers } = request;
      const query = url.slice(path.length + 1);
      const [peer, origin] = [networkOf(address), originOf(request, protection)];
      return answer({ method, path, query, headers, peer, remote, origin, ...rest });
    },
  };
}
