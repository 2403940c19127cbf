// Who is there, then which page: sign-in for whoever is not known, the page that the address names for everybody else.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask, ME_PATH, SESSION_PATH, type Trouble, whenSignedOut } from './api/ask.ts';
import type { Me } from './api/shapes.ts';
import { Shell } from './components/shell.tsx';
import { Failed } from './components/states.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { pageFor } from './pages.tsx';
import { usePlace } from './router.ts';
import { takeTokenFromAddress } from './token-in-address.ts';

type Session =
  | { readonly state: 'asking' }
  | { readonly state: 'unknown'; readonly refused: boolean }
  | { readonly state: 'known'; readonly me: Me }
  | { readonly state: 'failed'; readonly trouble: Trouble };

export function Dashboard() {
  const [session, setSession] = useState<Session>({ state: 'asking' });
  const place = usePlace();
  const find = useCallback(async (token?: string) => setSession(await findSession(token)), []);
  useEffect(() => {
    whenSignedOut(() => setSession({ state: 'unknown', refused: false }));
    find(takeTokenFromAddress());
  }, [find]);
  const [stayed, setStayed] = useState<Trouble | undefined>(undefined);
  const signOut = async () => {
    const left = await ask(SESSION_PATH, { method: 'DELETE' });
    // Whoever goes away from a shared machine must know that the cookie is still there.
    setStayed(left.ok ? undefined : { ...left.trouble, message: `Cannot sign out. ${left.trouble.message}` });
    if (left.ok) setSession({ state: 'unknown', refused: false });
  };
  if (session.state === 'asking') return <div role="status" class="unseen" aria-label="Loading" />;
  if (session.state === 'failed') return <NoSession trouble={session.trouble} retry={() => find()} />;
  if (session.state === 'unknown') return <SignIn wasRefused={session.refused} signIn={find} />;
  return (
    <Shell me={session.me} section={place.segments[0] ?? ''} signOut={signOut}>
      {stayed !== undefined && (
        <div class="card">
          <Failed trouble={stayed} retry={signOut} />
        </div>
      )}
      {pageFor(place, session.me)}
    </Shell>
  );
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

/** With a token: after it became a cookie that no script can read. */
async function findSession(token: string | undefined): Promise<Session> {
  if (token !== undefined) {
    const opened = await ask(SESSION_PATH, { method: 'POST', body: { token } });
    if (!opened.ok) return withoutSession(opened.trouble, true);
  }
  let answer = await ask<Me>(ME_PATH);
  if (!answer.ok && answer.trouble.status === 401 && token === undefined) {
    // An old cookie may be in the way of a server that would let us in without one.
    await ask(SESSION_PATH, { method: 'DELETE' });
    answer = await ask<Me>(ME_PATH);
  }
  return answer.ok ? { state: 'known', me: answer.value } : withoutSession(answer.trouble, false);
}

const withoutSession = (trouble: Trouble, refused: boolean): Session =>
  trouble.status === 401 || (refused && trouble.status === 400)
    ? { state: 'unknown', refused }
    : { state: 'failed', trouble };
