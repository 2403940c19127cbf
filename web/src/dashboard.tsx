// Who is there, then which page: sign-in for whoever is not known, the page that the address names for everybody else.
import { useEffect, useState } from 'preact/hooks';
import { ask, SESSION_PATH, type Trouble, whenSignedOut } from './api/ask.ts';
import { Shell } from './components/shell.tsx';
import { Failed } from './components/states.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { SignInOther } from './pages/sign-in-other.tsx';
import { pageFor } from './pages.tsx';
import { usePlace } from './router.ts';
import { findSession, followTokenLink, openSession, type Session } from './session.ts';
import { takeTokenFromAddress } from './token-in-address.ts';

export function Dashboard() {
  const [session, setSession] = useSession();
  const place = usePlace();
  const find = async () => setSession(await findSession());
  const signIn = async (token: string) => setSession(await openSession(token));
  const [stayed, setStayed] = useState<Trouble | undefined>(undefined);
  const signOut = async () => {
    const left = await ask(SESSION_PATH, { method: 'DELETE' });
    // Whoever goes away from a shared machine must know that the cookie is still there.
    setStayed(left.ok ? undefined : { ...left.trouble, message: `Cannot sign out. ${left.trouble.message}` });
    if (left.ok) setSession({ state: 'unknown', refused: false });
  };
  if (session.state === 'asking') return <div role="status" class="unseen" aria-label="Loading" />;
  if (session.state === 'failed') return <NoSession trouble={session.trouble} retry={find} />;
  if (session.state === 'unknown') return <SignIn wasRefused={session.refused} signIn={signIn} />;
  if (session.state === 'offered')
    return <SignInOther {...session} signIn={signIn} stay={() => setSession({ state: 'known', me: session.me })} />;
  return (
    <Shell key={`${session.me.kind} ${session.me.name}`} me={session.me} place={place} signOut={signOut}>
      {session.linkRefused === true && (
        <div class="banner" role="alert">
          The token of this link was not accepted. You are still signed in as before.
        </div>
      )}
      {stayed !== undefined && (
        <div class="card">
          <Failed trouble={stayed} retry={signOut} />
        </div>
      )}
      {pageFor(place, session.me)}
    </Shell>
  );
}

/** As the address and the cookie say at first; later as links that are followed in this tab, and the server, say. */
function useSession() {
  const [session, setSession] = useState<Session>({ state: 'asking' });
  useEffect(() => {
    whenSignedOut(() => setSession({ state: 'unknown', refused: false }));
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
  return [session, setSession] as const;
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
