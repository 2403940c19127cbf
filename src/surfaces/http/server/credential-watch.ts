// Credentials of what goes on after its request: a token that is revoked or expires ends the streams and sessions it opened.
import type { Authenticate } from '../../../identity/authentication.ts';
import { type Caller, callerKey, rightsKey } from '../../../identity/caller.ts';
import type { OnRights, WatchCredential } from '../message/admitted-request.ts';
import type { ReadCredentials } from './credentials.ts';

interface Watched {
  /** Read again for each check: the session in a cookie may expire before its token does. */
  readonly credentials: () => ReturnType<ReadCredentials>;
  readonly owner: string;
  /** What they may do, as far as is known. */
  rights: string;
  readonly end: () => void;
  readonly onRights: OnRights | undefined;
}

export function createCredentialWatch(
  read: ReadCredentials,
  authenticate: Authenticate,
  checkMs: number,
  /** Calls back when it was heard that a credential has changed: then nothing waits for the next check (N3). */
  onNews?: (check: () => void) => void,
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
      const act = (found: Looked) => {
        if (found === 'unknown' || !all.has(watched)) return;
        if (found !== 'bad') return noteRights(watched, found);
        forget(watched);
        watched.end();
      };
      // A fault says nothing about the credential: the stream stays (F1).
      void lookAgain(watched, authenticate)
        .catch(() => 'unknown' as const)
        .then(act);
    }
  };
  onNews?.(check);
  return ({ request: { headers }, caller, remote }, end, onRights) => {
    const credentials = () => read({ headers }, remote);
    const first = credentials();
    // A caller without a credential (`--no-auth`) has none that could expire.
    if (first instanceof Promise)
      first.catch(() => undefined); // the first check reads it again
    else if (first !== 'malformed' && first.token === undefined && first.signedIn === undefined) return () => undefined;
    const watched = { credentials, owner: callerKey(caller), rights: rightsKey(caller), end, onRights };
    all.add(watched);
    timer ??= setInterval(check, checkMs).unref();
    return () => forget(watched);
  };
}

/** Whose it is now. `bad`: not its owner's any more. */
type Looked = Caller | 'bad' | 'unknown';

async function lookAgain({ credentials, owner }: Watched, authenticate: Authenticate): Promise<Looked> {
  const now = await credentials();
  if (now === 'malformed') return 'bad';
  const found = await authenticate({ ...now, isRecheck: true });
  if (found.ok) return callerKey(found.value) === owner ? found.value : 'bad';
  // While it cannot be known, the stream stays (F1).
  return found.failure === 'unavailable' || found.failure === 'issuer-away' ? 'unknown' : 'bad';
}

function noteRights(watched: Watched, caller: Caller): void {
  const rights = rightsKey(caller);
  if (rights === watched.rights) return;
  watched.rights = rights;
  watched.onRights?.(caller);
}
