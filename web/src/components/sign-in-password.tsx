// Email and password of a person who signs in.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Credential, SignInFault } from '../api/session.ts';

/** Those of the other form are shown there. */
const FAULTS: Partial<Record<SignInFault, string>> = {
  password: 'The email or the password is wrong.',
  busy: 'Too many tries. Wait a minute, then try again.',
  away: 'The database does not answer, so passwords cannot be checked now. Try again in a moment.',
  'ended person': 'You were signed out: your account is gone, or you signed out in another window. Sign in again.',
};

interface SignInPasswordProps {
  readonly fault: SignInFault | undefined;
  readonly signIn: (credential: Credential) => Promise<void>;
  /** It takes the focus. */
  readonly isFirst: boolean;
}

export function SignInPassword({ fault, signIn, isFirst }: SignInPasswordProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isAsking, setAsking] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (email.trim() === '' || password === '') return;
    setAsking(true);
    await signIn({ email: email.trim(), password });
    setPassword('');
    setAsking(false);
  };
  const isWrong = fault === 'password';
  return (
    <form class="stack tight" onSubmit={submit}>
      <SignInField id="email" label="Email" value={email} change={setEmail} isWrong={isWrong} isFirst={isFirst} />
      <SignInField id="password" label="Password" value={password} change={setPassword} isWrong={isWrong} />
      <p class="field-fault" id="password-fault" role="alert">
        {fault !== undefined && FAULTS[fault]}
      </p>
      <button type="submit" class="button primary" disabled={isAsking}>
        Sign in
      </button>
    </form>
  );
}

interface SignInFieldProps {
  readonly id: 'email' | 'password';
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly isWrong: boolean;
  readonly isFirst?: boolean;
}

/** An email is a text here: browsers refuse some that people have. */
const KINDS = {
  email: { type: 'text', inputMode: 'email', autocomplete: 'username' },
  password: { type: 'password', autocomplete: 'current-password' },
} as const;

function SignInField({ id, label, value, change, isWrong, isFirst = false }: SignInFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, []);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        ref={field}
        {...KINDS[id]}
        spellcheck={false}
        autocapitalize="none"
        value={value}
        aria-invalid={isWrong}
        aria-describedby="password-fault"
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  );
}
