// Credentials of what goes on after its request: a token that is revoked or expires ends the streams and sessions it opened.
import type { Authenticate, Authentication } from '../../../identity/authentication.ts';
import { callerKey } from '../../../identity/caller.ts';
import type { WatchCredential } from '../message/admitted-request.ts';
import type { ReadCredentials } from './credentials.ts';

interface Watched {
  /** Read anew each time: the session in a cookie may be over before its token is. */
  readonly credentials: () => ReturnType<ReadCredentials>;
  readonly owner: string;
  readonly end: () => void;
}

export function createCredentialWatch(
  read: ReadCredentials,
  authenticate: Authenticate,
  checkMs: number,
): WatchCredential {
  const all = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  const forget = (watched: Watched) => {
    all.delete(watched);
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const check = () => {
    for (const watched of all) {
      void isGood(watched, authenticate).then((isStillGood) => {
        if (isStillGood || !all.has(watched)) return;
        forget(watched);
        watched.end();
      });
    }
  };
  return ({ request: { headers }, caller, remote }, end) => {
    const credentials = () => read({ headers }, remote);
    const first = credentials();
    // A caller without a credential (`--no-auth`) has none that could expire.
    const hasNone = !(first instanceof Promise) && first !== 'malformed' && first.token === undefined;
    if (hasNone) return () => undefined;
    const watched = { credentials, owner: callerKey(caller), end };
    all.add(watched);
    timer ??= setInterval(check, checkMs).unref();
    return () => forget(watched);
  };
}

async function isGood({ credentials, owner }: Watched, authenticate: Authenticate): Promise<boolean> {
  const now = await credentials();
  if (now === 'malformed') return false;
  const found: Authentication = await authenticate({ ...now, isRecheck: true });
  // While it cannot be told, they stay (F1).
  return found.ok ? callerKey(found.value) === owner : found.failure === 'unavailable';
}
