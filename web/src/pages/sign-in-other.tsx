// Asks before a link replaces the present session: what the reader does next would run under another name.
import { useEffect } from 'preact/hooks';
import { SignInFrame } from '../components/sign-in-frame.tsx';
import type { Me } from '../model/shapes.ts';
import { whoText as nameOf } from '../model/who.ts';

interface SignInOtherProps {
  readonly me: Me;
  /** Whom the link's token belongs to. */
  readonly other: Me;
  readonly token: string;
  readonly signIn: (token: string) => Promise<void>;
  readonly stay: () => void;
}

export function SignInOther({ me, other, token, signIn, stay }: SignInOtherProps) {
  useEffect(() => {
    document.title = 'Switch to another account? · Repertoire';
  }, []);
  return (
    <SignInFrame>
      <div class="card">
        <div class="card-body">
          <h1>Switch to another account?</h1>
          <p>
            You are signed in as {nameOf(me)}. The link signs you in as {nameOf(other)}. Go on only if you know where
            the link comes from.
          </p>
          <p>
            <button type="button" class="button primary" onClick={stay}>
              Stay {nameOf(me)}
            </button>
          </p>
          <p>
            <button type="button" class="button" onClick={() => signIn(token)}>
              Sign in as {nameOf(other)}
            </button>
          </p>
        </div>
      </div>
    </SignInFrame>
  );
}
