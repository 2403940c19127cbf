// Signing in: a person with email and password, an operator or a program with a token. What is typed is sent once and not kept.
import { useEffect } from 'preact/hooks';
import type { Credential, SignInFault } from '../api/session.ts';
import { SignInFrame } from '../components/sign-in-frame.tsx';
import { SignInPassword } from '../components/sign-in-password.tsx';
import { SignInToken } from '../components/sign-in-token.tsx';

interface SignInProps {
  readonly fault: SignInFault | undefined;
  readonly signIn: (credential: Credential) => Promise<void>;
}

export function SignIn({ fault, signIn }: SignInProps) {
  useEffect(() => {
    document.title = 'Sign in · Repertoire';
  }, []);
  const isOfToken = fault === 'token' || fault === 'ended';
  return (
    <SignInFrame>
      <div class="card">
        <div class="card-body">
          <h1>Sign in</h1>
          <SignInPassword fault={fault} signIn={signIn} isFirst={!isOfToken} />
          <p class="or">
            <span>or with a token</span>
          </p>
          <SignInToken fault={fault} signIn={signIn} isFirst={isOfToken} />
        </div>
      </div>
    </SignInFrame>
  );
}
