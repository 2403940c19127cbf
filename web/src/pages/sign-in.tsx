// Asks for a token when the link did not bring one. The token is sent once and not kept.
import { useEffect, useRef, useState } from 'preact/hooks';
import { SignInFrame } from '../components/sign-in-frame.tsx';

/** Why it is asked for. `refused`: the server does not know the token; `ended`: it did, and does no longer. */
export type SignInFault = 'refused' | 'ended';

const FAULTS = {
  refused: 'The server does not know this token. See whether it was copied whole.',
  ended: 'Your token is no longer valid, or you signed out in another window. Sign in again.',
} as const satisfies Record<SignInFault, string>;

interface SignInProps {
  readonly fault: SignInFault | undefined;
  readonly signIn: (token: string) => Promise<void>;
}

export function SignIn({ fault, signIn }: SignInProps) {
  const [token, setToken] = useState('');
  const [isAsking, setAsking] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (token.trim() === '') return;
    setAsking(true);
    await signIn(token.trim());
    setAsking(false);
  };
  return (
    <SignInFrame>
      <form class="card" onSubmit={submit}>
        <div class="card-body">
          <h1>Sign in</h1>
          <TokenField token={token} change={setToken} fault={fault} />
          <button type="submit" class="button primary" disabled={isAsking}>
            Sign in
          </button>
          <p class="small muted">
            The server prints a link with the operator's token when it starts. <code>repertoire token</code> prints the
            token, too, or <code>node dist/cli.js token</code> in a checkout.
          </p>
        </div>
      </form>
    </SignInFrame>
  );
}

interface TokenFieldProps {
  readonly token: string;
  readonly change: (token: string) => void;
  readonly fault: SignInFault | undefined;
}

function TokenField({ token, change, fault }: TokenFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Repertoire';
    field.current?.focus();
  }, []);
  return (
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
        aria-invalid={fault === 'refused'}
        aria-describedby="token-fault token-hint"
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p class="field-fault" id="token-fault" role="alert">
        {fault !== undefined && FAULTS[fault]}
      </p>
      <p class="field-hint" id="token-hint">
        The operator's, an agent's or a user's. It is traded for a cookie that scripts cannot read.
      </p>
    </div>
  );
}
