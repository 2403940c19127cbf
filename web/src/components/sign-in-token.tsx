// A token to sign in with, when the link did not bring one.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Credential, SignInFault } from '../api/session.ts';

/** Those of the other form are shown there. */
const FAULTS: Partial<Record<SignInFault, string>> = {
  token: 'The server does not know this token. See whether it was copied whole.',
  ended: 'Your token is no longer valid, or you signed out in another window. Sign in again.',
};

interface SignInTokenProps {
  readonly fault: SignInFault | undefined;
  readonly signIn: (credential: Credential) => Promise<void>;
  /** It takes the focus. */
  readonly isFirst: boolean;
}

export function SignInToken({ fault, signIn, isFirst }: SignInTokenProps) {
  const [token, setToken] = useState('');
  const [isAsking, setAsking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (token.trim() === '') return;
    setAsking(true);
    await signIn({ token: token.trim() });
    setAsking(false);
  };
  return (
    <form class="stack tight" onSubmit={submit}>
      <div class="field">
        <label class="field-label" for="token">
          Token
        </label>
        <input
          id="token"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          aria-invalid={fault === 'token'}
          aria-describedby="token-fault token-hint"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p class="field-fault" id="token-fault" role="alert">
          {fault !== undefined && FAULTS[fault]}
        </p>
      </div>
      <button type="submit" class="button" disabled={isAsking}>
        Sign in with the token
      </button>
      <p class="field-hint" id="token-hint">
        The operator's, an agent's or a user's. The server prints a link with the operator's token when it starts;{' '}
        <code>repertoire token</code> prints the token, too, or <code>node dist/cli.js token</code> in a checkout.
      </p>
    </form>
  );
}
