// The agents that may call: added, with what they may do, when they were last seen, and revoked. For the operator.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Trouble, withQuery } from '../api/ask.ts';
import { useFreshTokens } from '../api/fresh-tokens.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { bringIntoView } from '../browser/into-view.ts';
import { AddAgent } from '../components/add-agent.tsx';
import { AgentAccess } from '../components/agent-access.tsx';
import { Command } from '../components/command.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { ConnectedClients } from '../components/connected-clients.tsx';
import { ForOperator } from '../components/for-operator.tsx';
import { Card, Page } from '../components/page.tsx';
import { Time } from '../components/pills.tsx';
import { RightsPills } from '../components/rights-pills.tsx';
import { Empty, Failed, Show } from '../components/states.tsx';
import type { Agent, AgentList, AgentWithToken, Me } from '../model/shapes.ts';
import { agoText, plural } from '../text/format.ts';

const LEDE = 'Each agent has a token of its own, and may do what its roles allow.';

export function AgentsPage({ me }: { readonly me: Me }) {
  const agents = useLoaded<AgentList>(me.is_operator ? '/api/agents' : undefined);
  const [added, setAdded] = useState<AgentWithToken | undefined>(undefined);
  const [adding, setAdding] = useState<'not yet' | 'now' | 'called off'>('not yet');
  const tokens = useFreshTokens();
  if (!me.is_operator) return <ForOperator title="Agents" lede={LEDE} work="add and revoke agents" />;
  const count = agents.value?.agents.length;
  const isFirst = count === 0 && added === undefined;
  const isAdding = isFirst || adding === 'now';
  const onAdded = (agent: AgentWithToken) => {
    setAdded(agent);
    setAdding('not yet');
    tokens.keep({ agent: agent.name, token: agent.token, host: undefined, access: undefined });
    agents.reload();
  };
  // A token that is good no longer is not to be copied.
  const onRevoked = (name: string) => {
    tokens.forget(name);
    setAdded((shown) => (shown?.name === name ? undefined : shown));
  };
  return (
    <Page
      title="Agents"
      lede={LEDE}
      tools={!isAdding && <NewAgent isAgain={adding === 'called off'} open={() => setAdding('now')} />}
    >
      {added !== undefined && <NewToken key={added.token} added={added} />}
      {isAdding && (
        <AddAgent
          key={String(isFirst)}
          onAdded={onAdded}
          cancel={isFirst ? undefined : () => setAdding('called off')}
        />
      )}
      <Card title={count === undefined || count === 0 ? 'Agents' : plural(count, 'agent')}>
        <Show loaded={agents} lines={5}>
          {({ agents: list }) =>
            list.length === 0 ? <None /> : <AgentTable agents={list} reload={agents.reload} onRevoked={onRevoked} />
          }
        </Show>
      </Card>
      <ConnectedClients />
    </Page>
  );
}

/** `isAgain`: its form was called off, and the keyboard goes on from here. */
function NewAgent({ isAgain, open }: { readonly isAgain: boolean; readonly open: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAgain) button.current?.focus();
  }, []);
  return (
    <button type="button" class="button primary" ref={button} onClick={open}>
      New agent
    </button>
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
      <th scope="col" class="hide-small">
        Roles and scopes
      </th>
      <th scope="col" class="hide-small">
        Expires
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

function AgentRow({ agent, revoke }: { readonly agent: Agent; readonly revoke: () => void }) {
  const row = useRef<HTMLTableRowElement>(null);
  const revokeHere = () => {
    // The answer removes its button; the focus stays in the row.
    row.current?.focus();
    revoke();
  };
  return (
    <tr ref={row} tabIndex={-1}>
      <td class="wide">
        <strong>{agent.name}</strong>{' '}
        {agent.state !== 'active' && (
          <span class={agent.state === 'expired' ? 'pill dot warn' : 'pill dot'}>{agent.state}</span>
        )}
        <div class="only-small in-line">
          <RightsPills {...agent} />
        </div>
      </td>
      <td class="wide hide-small">
        <RightsPills {...agent} />
      </td>
      <td class="hide-small muted">{agent.expires_at === null ? 'never' : <Time at={agent.expires_at} />}</td>
      <td class="number muted hide-small">
        {agent.last_used_at === null ? 'never' : agoText(new Date(agent.last_used_at))}
      </td>
      <td class="number">
        {agent.state !== 'revoked' && <ConfirmButton what="Revoke" of={agent.name} isLittle confirm={revokeHere} />}
      </td>
    </tr>
  );
}
