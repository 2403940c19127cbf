// Connecting a host, in three steps: which one, what to put into it, and seeing it arrive. The address is the state.
import type { ComponentChildren } from 'preact';
import { withQuery } from '../api/ask.ts';
import { useFreshTokens } from '../api/fresh-tokens.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { setQuery } from '../browser/router.ts';
import { Icon } from '../components/icons.tsx';
import { Show } from '../components/states.tsx';
import { OTHER } from '../model/host-order.ts';
import type { Host, HostList, Me } from '../model/shapes.ts';
import { ConnectStatus } from './connect-status.tsx';
import { HostChoice } from './host-choice.tsx';
import type { Way } from './host-instructions.tsx';
import { HostSetup } from './host-setup.tsx';
import { useConnection } from './use-connection.ts';

interface ConnectPanelProps {
  readonly me: Me;
  readonly query: URLSearchParams;
}

export function ConnectPanel({ me, query }: ConnectPanelProps) {
  const loaded = useLoaded<HostList>(withQuery('/api/hosts', { address: location.origin }));
  return (
    <div class="card connect">
      <Show loaded={loaded} lines={6}>
        {({ hosts }) => <Steps hosts={hosts} me={me} query={query} />}
      </Show>
    </div>
  );
}

interface StepsProps extends ConnectPanelProps {
  readonly hosts: readonly Host[];
}

function Steps({ hosts, me, query }: StepsProps) {
  const tokens = useFreshTokens();
  const host = hosts.find(({ id }) => id === query.get('host'));
  const agent = query.get('agent') ?? undefined;
  const way = wayOf(host, query);
  const isOpen = me.authentication === 'off';
  const watched = way === 'http' && (isOpen || agent !== undefined) ? host : undefined;
  const connection = useConnection(watched, isOpen ? undefined : agent);
  const choose = (id: string) => setQuery({ host: id, agent: tokens.agentFor(id, agent), way: undefined });
  return (
    <ol class="steps">
      <Step number={1} title="Choose a host" isDone={host !== undefined}>
        <HostChoice hosts={hosts} chosen={host} choose={choose} />
      </Step>
      <Step
        number={2}
        title={host === undefined ? 'Set it up' : `Set up ${nameOf(host)}`}
        isDone={connection !== undefined}
      >
        {host !== undefined && (
          <HostSetup
            key={host.id}
            host={host}
            way={way}
            agent={agent}
            isOpen={isOpen}
            isHere={hosts.some(({ is_found }) => is_found !== null)}
            isConnected={connection !== undefined}
          />
        )}
      </Step>
      <Step number={3} title="See it connect" isDone={(connection?.first_read ?? null) !== null}>
        {watched !== undefined && <ConnectStatus host={watched} name={nameOf(watched)} connection={connection} />}
        {host !== undefined && way === 'program' && (
          <p class="muted">
            {nameOf(host)} starts a process of its own, so there is nothing to wait for here. Ask it which skills it
            has.
          </p>
        )}
      </Step>
    </ol>
  );
}

/** In the middle of a sentence. */
const nameOf = ({ id, title }: Host): string => (id === OTHER ? 'your host' : title);

const wayOf = (host: Host | undefined, query: URLSearchParams): Way =>
  host?.http === null || query.get('way') === 'program' ? 'program' : 'http';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

const Step = ({ number, title, isDone, children }: StepProps) => (
  <li class={isDone ? 'step done' : 'step'}>
    <span class="step-mark" aria-hidden="true">
      {isDone ? <Icon name="check" size={14} /> : number}
    </span>
    <h2>{title}</h2>
    {children}
  </li>
);
