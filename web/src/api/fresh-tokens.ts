// Tokens that were made while this page is open, for the commands that it shows. In memory only: a reload forgets them, and so
// does a sign-out.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AgentWithToken } from '../model/shapes.ts';

interface FreshToken {
  readonly agent: string;
  readonly token: string;
  /** The host that it was made for; `undefined`: for any. */
  readonly host: string | undefined;
  /** What it allows; `undefined`: that was shown before. */
  readonly access: Pick<AgentWithToken, 'opens' | 'warnings'> | undefined;
}

export interface FreshTokens {
  find(agent: string): FreshToken | undefined;
  /** Whose token is to be shown for a host, when that of `agent` was shown before. */
  agentFor(host: string, agent: string | undefined): string | undefined;
  keep(fresh: FreshToken): void;
  forget(agent: string): void;
}

export function createFreshTokens(): FreshTokens {
  const byAgent = new Map<string, FreshToken>();
  return {
    find: (agent) => byAgent.get(agent),
    agentFor: (host, agent) => {
      if (agent !== undefined && byAgent.has(agent) && byAgent.get(agent)?.host === undefined) return agent;
      return [...byAgent.values()].findLast((fresh) => fresh.host === host)?.agent;
    },
    keep: (fresh) => void byAgent.set(fresh.agent, fresh),
    forget: (agent) => void byAgent.delete(agent),
  };
}

export const FreshTokensContext = createContext(createFreshTokens());

export const useFreshTokens = (): FreshTokens => useContext(FreshTokensContext);
