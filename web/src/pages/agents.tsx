// The agents that may call: added, with what they may do, when they were last seen, and revoked. For the operator.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Trouble, withQuery } from '../api/ask.ts';
import { useFreshTokens } from '../api/fresh-tokens.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { bringIntoView } from '../browser/into-view.ts';
import { AddAgent } from '../components/add-agent.tsx';
import { AgentAccess } from '../components/agent-access.tsx';
import { Command } from '../components/command.tsx';
import { Card, Page } from '../components/page.tsx';
import { Time } from '../components/pills.tsx';
import { Empty, Failed, Show } from '../components/states.tsx';
import type { Agent, AgentList, AgentWithToken, Me } from '../model/shapes.ts';
import { agoText, plural } from '../text/format.ts';

const LEDE = 'Each agent has a token of its own, and may do what its roles allow.';

export function AgentsPage({ me }: { readonly me: Me }) {
  const agents = useLoaded<AgentList>(me.is_operator ? '/api/agents' : undefined);
  const [added, setAdded] = useState<AgentWithToken | undefined>(undefined);
  const tokens = useFreshTokens();
  if (!me.is_operator)
    return (
      <Page title="Agents" lede={LEDE}>
        <div class="card">
          <Empty title="For the operator alone" command={{ words: 'token', reach: 'store' }}>
            Sign in with the operator's token to add and revoke agents:
          </Empty>
        </div>
      </Page>
    );
  const count = agents.value?.agents.length;
  const onAdded = (agent: AgentWithToken) => {
    setAdded(agent);
    tokens.keep({ agent: agent.name, token: agent.token, host: undefined, access: undefined });
    agents.reload();
  };
  // A token that is good no longer is not to be copied.
  const onRevoked = (name: string) => {
    tokens.forget(name);
    setAdded((shown) => (shown?.name === name ? undefined : shown));
  };
  return (
    <Page title="Agents" lede={LEDE}>
      {added !== undefined && <NewToken key={added.token} added={added} />}
      <AddAgent onAdded={onAdded} />
      <Card title={count === undefined ? 'Agents' : plural(count, 'agent')}>
        <Show loaded={agents} lines={5}>
          {({ agents: list }) =>
            list.length === 0 ? <None /> : <AgentTable agents={list} reload={agents.reload} onRevoked={onRevoked} />
          }
        </Show>
      </Card>
    </Page>
  );
}

const None = () => (
  <Empty title="No agents yet" command={{ words: 'agent add NAME', reach: 'store' }}>
    Add one above, or on the server's machine:
  </Empty>
);

/** It has the focus: what is shown once must not be missed. */
function NewToken({ added }: { readonly added: AgentWithToken }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => bringIntoView(place.current), []);
  return (
    <section class="card marked" ref={place} tabIndex={-1} aria-label="The new token">
      <div class="notice">
        <h2>The token of {added.name}</h2>
        <p>It is shown only once. Copy it now. If it gets lost, revoke the agent and add it again.</p>
        <Command text={added.token} what="token" />
        <AgentAccess opens={added.opens} warnings={added.warnings} />
        <a class="button primary" href={withQuery('/connect', { agent: added.name })}>
          Connect a host with it
        </a>
      </div>
    </section>
  );
}

interface AgentTableProps {
  readonly agents: readonly Agent[];
  readonly reload: () => void;
  readonly onRevoked: (name: string) => void;
}

function AgentTable({ agents, reload, onRevoked }: AgentTableProps) {
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const [gone, setGone] = useState('');
  const revoke = async (name: string) => {
    const answer = await ask(`/api/agents/${encodeURIComponent(name)}`, { method: 'DELETE' });
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (answer.ok) {
      setGone(name);
      onRevoked(name);
    }
    reload();
  };
  return (
    <>
      {trouble !== undefined && <Failed trouble={trouble} />}
      <p class="unseen" role="status">
        {gone !== '' && `${gone} is revoked`}
      </p>
      <div class="table-wrap">
        <table class="table">
          <AgentHead />
          <tbody>
            {agents.map((agent) => (
              <AgentRow
                key={`${agent.name} ${agent.created_at}`}
                agent={agent}
                revoke={() => void revoke(agent.name)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const AgentHead = () => (
  <thead>
    <tr>
      <th scope="col">Name</th>
      <th scope="col">Roles</th>
      <th scope="col" class="hide-small">
        Ends
      </th>
      <th scope="col" class="number hide-small">
        Last seen
      </th>
      <th scope="col" class="revoke-column">
        <span class="unseen">Revoke</span>
      </th>
    </tr>
  </thead>
);

const TONES = { active: 'good', expired: 'warn', revoked: '' } as const;

function AgentRow({ agent, revoke }: { readonly agent: Agent; readonly revoke: () => void }) {
  const row = useRef<HTMLTableRowElement>(null);
  const revokeHere = () => {
    // Its button goes with the answer; the focus stays in the row.
    row.current?.focus();
    revoke();
  };
  return (
    <tr ref={row} tabIndex={-1}>
      <td class="wide">
        <strong>{agent.name}</strong> <span class={`pill dot ${TONES[agent.state]}`}>{agent.state}</span>
      </td>
      <td class="wide">
        <span class="pills">
          {[...agent.roles, ...agent.scopes].map((role) => (
            <span key={role} class="pill">
              {role}
            </span>
          ))}
        </span>
      </td>
      <td class="hide-small muted">{agent.expires_at === null ? 'never' : <Time at={agent.expires_at} />}</td>
      <td class="number muted hide-small">
        {agent.last_used_at === null ? 'never' : agoText(new Date(agent.last_used_at))}
      </td>
      <td class="number">{agent.state !== 'revoked' && <Revoke name={agent.name} revoke={revokeHere} />}</td>
    </tr>
  );
}

/** A second click confirms, the second of a double click does not: a revoked token does not come back. Cancel and Escape leave everything as it was. */
function Revoke({ name, revoke }: { readonly name: string; readonly revoke: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    setAsked(false);
    first.current?.focus();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (isAsked && key === 'Escape') cancel();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <span class="pills confirm" onKeyDown={onKeyDown}>
      <button
        ref={first}
        type="button"
        class={isAsked ? 'button danger little' : 'button quiet little'}
        aria-label={isAsked ? `Really revoke ${name}` : `Revoke ${name}`}
        onClick={({ detail }) => (isAsked ? detail < 2 && revoke() : setAsked(true))}
      >
        {isAsked ? 'Really revoke' : 'Revoke'}
      </button>
      {isAsked && (
        <button type="button" class="button little" aria-label={`Cancel: leave ${name}`} onClick={cancel}>
          Cancel
        </button>
      )}
    </span>
  );
}
