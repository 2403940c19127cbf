// The form that lets an agent in.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import type { AgentWithToken, Scope } from '../model/shapes.ts';
import { Card } from './page.tsx';
import { RoleChoices } from './role-choices.tsx';
import { ScopeChoices } from './scope-choices.tsx';

const EXPIRIES = { '': 'never', '24h': 'in a day', '30d': 'in 30 days', '90d': 'in 90 days', '365d': 'in a year' };

interface AddAgentProps {
  readonly onAdded: (agent: AgentWithToken) => void;
  /** `undefined`: there is nothing else to look at. */
  readonly cancel: (() => void) | undefined;
}

const HINT = 'Without one, the role is the name of the agent.';

export function AddAgent({ onAdded, cancel }: AddAgentProps) {
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([]);
  const [expiry, setExpiry] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  // Who asked for the form goes on in it.
  useEffect(() => {
    if (cancel !== undefined) form.current?.querySelector('input')?.focus();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const body = requestOf(name, roles, expiry, scopes);
    const answer = await ask<AgentWithToken>('/api/agents', { method: 'POST', body });
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (answer.ok) onAdded(answer.value);
  };
  return (
    <Card title="New agent">
      <form class="card-body" ref={form} onSubmit={submit}>
        <div class="filters">
          <NameField value={name} change={setName} isWrong={trouble !== undefined} />
          <Expiry value={expiry} change={setExpiry} />
        </div>
        <p class="field-fault" role="alert" id="agent-fault">
          {trouble?.message}
        </p>
        <RoleChoices chosen={roles} change={setRoles} hint={HINT} />
        <ScopeChoices chosen={scopes} change={setScopes} />
        <div class="form-tools">
          <button type="submit" class="button primary">
            Add agent
          </button>
          {cancel !== undefined && (
            <button type="button" class="button" onClick={cancel}>
              Cancel
            </button>
          )}
        </div>
      </form>
    </Card>
  );
}

interface ExpiryProps {
  readonly value: string;
  readonly change: (value: string) => void;
}

const Expiry = ({ value, change }: ExpiryProps) => (
  <div class="field">
    <label class="field-label" for="agent-expiry">
      Token expires
    </label>
    <select id="agent-expiry" value={value} onChange={(event) => change(event.currentTarget.value)}>
      {Object.entries(EXPIRIES).map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  </div>
);

function requestOf(name: string, roles: readonly string[], expiry: string, scopes: readonly Scope[]) {
  return {
    name: name.trim(),
    ...(roles.length > 0 ? { roles } : {}),
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(expiry === '' ? {} : { expires_in: expiry }),
  };
}

interface NameFieldProps {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly isWrong: boolean;
}

const NameField = ({ value, change, isWrong }: NameFieldProps) => (
  <div class="field">
    <label class="field-label" for="agent-name">
      Name
    </label>
    <input
      id="agent-name"
      type="text"
      autocomplete="off"
      spellcheck={false}
      value={value}
      aria-invalid={isWrong}
      aria-describedby="agent-fault"
      onInput={(event) => change(event.currentTarget.value)}
    />
  </div>
);
