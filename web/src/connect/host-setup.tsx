// What to put into the chosen host: a token first, then the command or the entry that has it.
import { useEffect, useRef } from 'preact/hooks';
import { useFreshTokens } from '../api/fresh-tokens.ts';
import { bringIntoView } from '../browser/into-view.ts';
import { setQuery } from '../browser/router.ts';
import { opensText } from '../components/agent-access.tsx';
import { OTHER } from '../model/host-order.ts';
import type { AgentWithToken, Host } from '../model/shapes.ts';
import { HostInstructions, type Way } from './host-instructions.tsx';
import { TokenForm } from './token-form.tsx';

interface HostSetupProps {
  readonly host: Host;
  readonly way: Way;
  readonly agent: string | undefined;
  /** The server asks for no token. */
  readonly isOpen: boolean;
  /** The reader is on the machine of the server. */
  readonly isHere: boolean;
  readonly isConnected: boolean;
}

export function HostSetup({ host, way, agent, isOpen, isHere, isConnected }: HostSetupProps) {
  const tokens = useFreshTokens();
  const fresh = agent === undefined ? undefined : tokens.find(agent);
  const token = fresh?.token;
  const needsToken = way === 'http' && !isOpen && token === undefined;
  const place = useRef<HTMLDivElement>(null);
  const wasMissing = useRef(needsToken);
  useEffect(() => {
    // The button that made the token is gone; the keyboard goes on from what came of it.
    if (wasMissing.current && token !== undefined) bringIntoView(place.current);
    wasMissing.current = needsToken;
  }, [needsToken]);
  const onAdded = (added: AgentWithToken) => {
    tokens.keep({ agent: added.name, token: added.token, host: host.id, access: added });
    setQuery({ agent: added.name });
  };
  return (
    <div class="stack" ref={place} tabIndex={-1}>
      {host.http !== null && isHere && <Ways way={way} />}
      {needsToken && isConnected && (
        <p class="muted">
          It uses the token of the agent <strong>{agent}</strong>.
        </p>
      )}
      {needsToken && !isConnected && (
        <TokenForm wanted={host.id === OTHER ? 'my-agent' : host.id} earlier={agent} onAdded={onAdded} />
      )}
      {!needsToken && <HostInstructions host={host} way={way} token={token} agent={agent} isHere={isHere} />}
      {/* That its role opens no typed skill is as it should be: most hosts are there to read. */}
      {way === 'http' && fresh?.access !== undefined && (
        <p class="small muted break">{opensText(fresh.access.opens)}</p>
      )}
    </div>
  );
}

const WAYS = { http: 'Over HTTP', program: 'As a program' } as const satisfies Record<Way, string>;

const Ways = ({ way }: { readonly way: Way }) => (
  <fieldset class="segments fit">
    <legend class="unseen">How it connects</legend>
    {(['http', 'program'] as const).map((choice) => (
      <button
        key={choice}
        type="button"
        aria-pressed={choice === way}
        onClick={() => setQuery({ way: choice === 'http' ? undefined : choice })}
      >
        {WAYS[choice]}
      </button>
    ))}
  </fieldset>
);
