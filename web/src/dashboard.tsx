// First who is signed in, then which page: sign-in without a session, else the page that the address names.
import { useEffect, useState } from 'preact/hooks';
import { ask, SESSION_PATH, type Trouble, whenSeenAgain, whenSignedOut } from './api/ask.ts';
import { type Credential, findSession, followTokenLink, openSession, type Session } from './api/session.ts';
import { goTo, usePlace } from './browser/router.ts';
import { markSignedIn } from './browser/signed-in-before.ts';
import { takeTokenFromAddress } from './browser/token-in-address.ts';
import { Shell } from './components/shell.tsx';
import { Failed } from './components/states.tsx';
import type { Me } from './model/shapes.ts';
import { SignIn } from './pages/sign-in.tsx';
import { SignInOther } from './pages/sign-in-other.tsx';
import { pageFor } from './pages.tsx';

export function Dashboard() {
  const [session, setSession] = useSession();
  const place = usePlace();
  const find = async () => setSession(await findSession());
  const signIn = async (credential: Credential) => {
    const opened = await openSession(credential);
    setSession(opened);
    // What `/` shows is closed to them: they begin with what is not.
    if (opened.state === 'known' && opened.me.kind === 'user' && !opened.me.may_read_log && isAtStart())
      goTo('/skills', { replace: true });
  };
  const [stayed, signOut] = useSignOut(() => setSession({ state: 'unknown', fault: undefined }));
  if (session.state === 'asking') return <div role="status" class="unseen" aria-label="Loading" />;
  if (session.state === 'failed') return <NoSession trouble={session.trouble} retry={find} />;
  if (session.state === 'unknown') return <SignIn fault={session.fault} signIn={signIn} />;
  if (session.state === 'offered')
    return (
      <SignInOther
        {...session}
        signIn={(token) => signIn({ token })}
        stay={() => setSession({ state: 'known', me: session.me })}
      />
    );
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

const isAtStart = (): boolean => location.pathname === '/';

/** As the address and the cookie say at first; later as links that are followed in this tab, and the server, say. */
function useSession() {
  const [session, setSession] = useState<Session>({ state: 'asking' });
  useEffect(() => {
    if (session.state === 'known') markSignedIn(true);
    if (session.state === 'unknown') markSignedIn(false);
  }, [session.state]);
  useEffect(() => {
    whenSignedOut(() => setSession(afterEnd));
    whenSeenAgain((me) => setSession((before) => withRights(before, me)));
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

/** Answers to requests from before the sign-out say nothing new. */
function afterEnd(session: Session): Session {
  if (session.state === 'unknown') return session;
  if (session.state !== 'known') return { state: 'unknown', fault: undefined };
  return { state: 'unknown', fault: session.me.kind === 'user' ? 'ended person' : 'ended' };
}

/** What one may do changes while a page is open: it shows that then. The same again changes nothing. */
function withRights(session: Session, me: Me): Session {
  if (session.state !== 'known' || JSON.stringify(session.me) === JSON.stringify(me)) return session;
  return { ...session, me };
}

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
