// First who is signed in, then which page: sign-in without a session, else the page that the address names.
import { useEffect, useState } from 'preact/hooks';
import { ask, SESSION_PATH, type Trouble, whenSignedOut } from './api/ask.ts';
import { findSession, followTokenLink, openSession, type Session } from './api/session.ts';
import { usePlace } from './browser/router.ts';
import { markSignedIn } from './browser/signed-in-before.ts';
import { takeTokenFromAddress } from './browser/token-in-address.ts';
import { Shell } from './components/shell.tsx';
import { Failed } from './components/states.tsx';
import { SignIn, type SignInFault } from './pages/sign-in.tsx';
import { SignInOther } from './pages/sign-in-other.tsx';
import { pageFor } from './pages.tsx';

export function Dashboard() {
  const [{ session, hasEnded }, setSession] = useSession();
  const place = usePlace();
  const find = async () => setSession(await findSession());
  const signIn = async (token: string) => setSession(await openSession(token));
  const [stayed, signOut] = useSignOut(() => setSession({ state: 'unknown', refused: false }));
  if (session.state === 'asking') return <div role="status" class="unseen" aria-label="Loading" />;
  if (session.state === 'failed') return <NoSession trouble={session.trouble} retry={find} />;
  if (session.state === 'unknown') return <SignIn fault={faultOf(session.refused, hasEnded)} signIn={signIn} />;
  if (session.state === 'offered')
    return <SignInOther {...session} signIn={signIn} stay={() => setSession({ state: 'known', me: session.me })} />;
  return (
    <Shell
      key={`${session.me.kind} ${session.me.name}`}
      me={session.me}
      place={place}
      signOut={signOut}
      notice={session.linkRefused === true ? LINK_REFUSED : undefined}
    >
      {stayed !== undefined && (
        <div class="card">
          <Failed trouble={stayed} retry={signOut} />
        </div>
      )}
      {pageFor(place, session.me)}
    </Shell>
  );
}

const LINK_REFUSED = 'The token of this link was not accepted. You are still signed in as before.';

interface Held {
  readonly session: Session;
  /** The session is over: the reader is told why the page is gone. */
  readonly hasEnded: boolean;
}

/** As the address and the cookie say at first; later as links that are followed in this tab, and the server, say. */
function useSession() {
  const [held, setHeld] = useState<Held>({ session: { state: 'asking' }, hasEnded: false });
  const setSession = (session: Session) => setHeld({ session, hasEnded: false });
  useEffect(() => {
    if (held.session.state === 'known') markSignedIn(true);
    if (held.session.state === 'unknown') markSignedIn(false);
  }, [held.session.state]);
  useEffect(() => {
    whenSignedOut(() => setHeld(({ session }) => afterEnd(session)));
    const begin = async () => {
      const token = takeTokenFromAddress();
      setSession(token === undefined ? await findSession() : await followTokenLink(token));
    };
    // In an open tab the printed link changes nothing but what is behind `#`.
    const followLink = async () => {
      const token = takeTokenFromAddress();
      if (token !== undefined) setSession(await followTokenLink(token));
    };
    addEventListener('hashchange', followLink);
    begin();
    return () => removeEventListener('hashchange', followLink);
  }, []);
  return [held, setSession] as const;
}

/** Answers to requests from before the sign-out say nothing new. */
const afterEnd = (session: Session): Held => ({
  session: session.state === 'unknown' ? session : { state: 'unknown', refused: false },
  hasEnded: session.state === 'known',
});

const faultOf = (wasRefused: boolean, hasEnded: boolean): SignInFault | undefined =>
  wasRefused ? 'refused' : hasEnded ? 'ended' : undefined;

/** What kept the reader from leaving, and how to leave. */
function useSignOut(onLeft: () => void) {
  const [stayed, setStayed] = useState<Trouble | undefined>(undefined);
  const signOut = async () => {
    const left = await ask(SESSION_PATH, { method: 'DELETE' });
    // On a shared machine the reader must know that the cookie is still there.
    setStayed(left.ok ? undefined : { ...left.trouble, message: `Cannot sign out. ${left.trouble.message}` });
    if (left.ok) onLeft();
  };
  return [stayed, signOut] as const;
}

const NoSession = ({ trouble, retry }: { readonly trouble: Trouble; readonly retry: () => void }) => (
  <div class="sign-in">
    <main>
      <h1>Repertoire</h1>
      <div class="card">
        <Failed trouble={trouble} retry={retry} />
      </div>
    </main>
  </div>
);
