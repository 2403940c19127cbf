// The form that lets an agent in.
import { useState } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import type { AgentWithToken, DefinitionList } from '../model/shapes.ts';
import { Card } from './page.tsx';

const EXPIRIES = { '': 'never', '24h': 'in a day', '30d': 'in 30 days', '90d': 'in 90 days', '365d': 'in a year' };

export function AddAgent({ onAdded }: { readonly onAdded: (agent: AgentWithToken) => void }) {
  const [name, setName] = useState('');
  const [roles, setRoles] = useState('');
  const [expiry, setExpiry] = useState('');
  const [readsLog, setReadsLog] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    const body = requestOf(name, roles, expiry, readsLog);
    const answer = await ask<AgentWithToken>('/api/agents', { method: 'POST', body });
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (!answer.ok) return;
    for (const clear of [setName, setRoles]) clear('');
    setReadsLog(false);
    onAdded(answer.value);
  };
  return (
    <Card title="Add an agent">
      <form class="card-body" onSubmit={submit}>
        <div class="filters">
          <TextField id="agent-name" label="Name" value={name} change={setName} isWrong={trouble !== undefined} />
          <TextField id="agent-roles" label="Roles" value={roles} change={setRoles} hint="its own name" />
          <Expiry value={expiry} change={setExpiry} />
          <label class="check">
            <input type="checkbox" checked={readsLog} onChange={(event) => setReadsLog(event.currentTarget.checked)} />
            May read the log
          </label>
          <button type="submit" class="button primary">
            Add agent
          </button>
        </div>
        <KnownRoles />
        <p class="field-fault" role="alert" id="agent-fault">
          {trouble?.message}
        </p>
      </form>
    </Card>
  );
}

/** Which roles open something: a role that no skill names opens nothing (X10). */
function KnownRoles() {
  const { value } = useLoaded<DefinitionList>('/api/typed-skills');
  const roles = [...new Set(value?.skills.flatMap(({ assigned_to }) => assigned_to))];
  if (roles.length === 0) return null;
  return <p class="small muted">Roles that typed skills name: {roles.join(', ')}. * stands for every typed skill.</p>;
}

interface ExpiryProps {
  readonly value: string;
  readonly change: (value: string) => void;
}

const Expiry = ({ value, change }: ExpiryProps) => (
  <div class="field">
    <label class="field-label" for="agent-expiry">
      Token ends
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

function requestOf(name: string, roles: string, expiry: string, readsLog: boolean) {
  const listed = roles.split(/[\s,]+/).filter((role) => role !== '');
  return {
    name: name.trim(),
    ...(listed.length > 0 ? { roles: listed } : {}),
    ...(readsLog ? { scopes: ['log:read'] } : {}),
    ...(expiry === '' ? {} : { expires_in: expiry }),
  };
}

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly hint?: string;
  readonly isWrong?: boolean;
}

const TextField = ({ id, label, value, change, hint, isWrong = false }: TextFieldProps) => (
  <div class="field">
    <label class="field-label" for={id}>
      {label}
    </label>
    <input
      id={id}
      type="text"
      autocomplete="off"
      spellcheck={false}
      value={value}
      placeholder={hint}
      aria-invalid={isWrong}
      aria-describedby="agent-fault"
      onInput={(event) => change(event.currentTarget.value)}
    />
  </div>
);
