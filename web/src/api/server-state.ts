// What the server says of itself, asked for once for the whole page: every part that shows it says the same.
import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { ProblemList, Readiness } from '../model/shapes.ts';
import type { Trouble } from './ask.ts';
import { useLoaded } from './use-loaded.ts';
import { tellBack } from './when-back.ts';

export interface ServerState {
  readonly isSilent: boolean;
  /** Why it cannot do everything now, as sentences. */
  readonly reasons: readonly string[];
  /** How many there are; `undefined` until that is known. */
  readonly problems: number | undefined;
  /** Asks now, not in a while. */
  readonly look: () => void;
}

const LOOK_MS = 10_000;

const UNKNOWN: ServerState = { isSilent: false, reasons: [], problems: undefined, look: () => undefined };

export const ServerStateContext = createContext<ServerState>(UNKNOWN);

export const useServerState = (): ServerState => useContext(ServerStateContext);

/** Looks every ten seconds, and tells the rest of the page when something that was away is back. */
export function useServerWatch(problems: ProblemList | undefined): ServerState {
  const { value, trouble, reload } = useReadiness();
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const isSilent = trouble?.status === 0;
  const reasons = value?.status === 'degraded' ? value.reasons : [];
  const isAway = isSilent || value?.status === 'degraded';
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) tellBack();
    wasAway.current = isAway;
  }, [isAway]);
  return { isSilent, reasons, problems: problems?.problems.length, look: reload };
}

/** Whether something is away that will come back: what was shown before is worth keeping. The banner is to say so at once. */
export function useOutage(trouble: Trouble | undefined): boolean {
  const { look } = useServerState();
  const isOutage = trouble?.status === 0 || trouble?.code === 'PERSISTENCE_ERROR';
  useEffect(() => {
    if (isOutage) look();
  }, [isOutage, look]);
  return isOutage;
}

/** 503 with a body of its own is an answer here. */
function useReadiness() {
  const loaded = useLoaded<Readiness>('/ready');
  const said = loaded.trouble?.status === 503 ? (loaded.trouble.body as Readiness | undefined) : undefined;
  return { ...loaded, value: said ?? loaded.value };
}
