// Credentials of what goes on after its request: a token that is revoked or expires ends the streams and sessions it opened.
import type { Authenticate, Authentication } from '../../../identity/authentication.ts';
import { callerKey } from '../../../identity/caller.ts';
import type { WatchCredential } from '../message/admitted-request.ts';
import type { ReadCredentials } from './credentials.ts';

interface Watched {
  /** Read again for each check: the session in a cookie may expire before its token does. */
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
      const endUnless = (isStillGood: boolean) => {
        if (isStillGood || !all.has(watched)) return;
        forget(watched);
        watched.end();
      };
      // A fault says nothing about the credential: the stream stays (F1).
      void isGood(watched, authenticate)
        .catch(() => true)
        .then(endUnless);
    }
  };
  return ({ request: { headers }, caller, remote }, end) => {
    const credentials = () => read({ headers }, remote);
    const first = credentials();
    // A caller without a credential (`--no-auth`) has none that could expire.
    if (first instanceof Promise)
      first.catch(() => undefined); // the first check reads it again
    else if (first !== 'malformed' && first.token === undefined) return () => undefined;
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
  // While it cannot be known, the stream stays (F1).
  return found.ok ? callerKey(found.value) === owner : found.failure === 'unavailable';
}
