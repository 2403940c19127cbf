// One field and one button that let the host in: its token is in what comes next.
import { useState } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { freeName } from '../model/free-name.ts';
import type { AgentList, AgentWithToken } from '../model/shapes.ts';

interface TokenFormProps {
  /** What the agent is to be called, if that is free. */
  readonly wanted: string;
  /** The agent that the address names, whose token is not known any more. */
  readonly earlier: string | undefined;
  readonly onAdded: (added: AgentWithToken) => void;
}

export function TokenForm({ wanted, earlier, onAdded }: TokenFormProps) {
  const agents = useLoaded<AgentList>('/api/agents').value?.agents ?? [];
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  const name = typed ?? freeName(wanted, agents);
  const submit = async (event: Event) => {
    event.preventDefault();
    setAsking(true);
    // The list may not have come yet, or be older than an agent that was added elsewhere.
    const known = await ask<AgentList>('/api/agents');
    const body = { name: freeName(name.trim(), known.ok ? known.value.agents : agents) };
    const answer = await ask<AgentWithToken>('/api/agents', { method: 'POST', body });
    setAsking(false);
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (answer.ok) onAdded(answer.value);
  };
  const isKnown = agents.some((agent) => agent.name === earlier && agent.state === 'active');
  return (
    <form class="stack tight" onSubmit={submit}>
      {isKnown && <p class="muted">The token of {earlier} was shown once and is not kept. You can create another.</p>}
      <div class="token-form">
        <div class="field">
          <label class="field-label" for="connect-name">
            Agent name
          </label>
          <input
            id="connect-name"
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={name}
            aria-invalid={trouble !== undefined}
            aria-describedby="connect-hint connect-fault"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
        <button type="submit" class="button primary" disabled={isAsking}>
          Create token
        </button>
      </div>
      <p class="field-fault" role="alert" id="connect-fault">
        {trouble?.message}
      </p>
      <p class="field-hint" id="connect-hint">
        The agent can read every document skill, and invoke the typed skills assigned to its name. To open others, add
        an agent with roles in <a href="/agents">Agents</a>.
      </p>
    </form>
  );
}
