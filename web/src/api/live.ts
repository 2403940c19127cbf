// What happens on the server while a page is open: one event stream for the whole page, or a look every few seconds without it.
import { useEffect, useRef } from 'preact/hooks';
import type { LiveInvocation } from '../model/activity-rows.ts';
import { checkSession } from './ask.ts';

export type LiveEvent =
  | { readonly kind: 'invocation'; readonly invocation: LiveInvocation }
  /** A run changed: it waits, runs, has said something, or has ended. */
  | { readonly kind: 'run'; readonly id: string }
  | { readonly kind: 'load' }
  | { readonly kind: 'catalog' }
  /** An MCP client connected, listed its tools or read its first document. */
  | { readonly kind: 'connection' }
  /** Something may have happened that we were not told. */
  | { readonly kind: 'tick' };

type Listener = (event: LiveEvent) => void;

/** Without a stream. */
const TICK_MS = 5_000;
/** Beside a stream: `repertoire mcp` and commands on the same store tell us nothing of what they run. */
const SLOW_TICK_MS = 15_000;
/** A stream that ended is tried again after this; meanwhile there are ticks. */
const AGAIN_MS = 30_000;

const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let ticking: { readonly everyMs: number; readonly timer: ReturnType<typeof setInterval> } | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
let mayHaveMissed = false;

/** While the component is there and `isOn`. The newest `listener` is called. */
export function useLive(isOn: boolean, listener: Listener): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => {
    if (!isOn) return;
    const forward: Listener = (event) => newest.current(event);
    return listen(forward);
  }, [isOn]);
}

/** Answers how to stop. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) open();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) close();
  };
}

function open(): void {
  const opened = new EventSource('/api/events');
  stream = opened;
  again = undefined;
  opened.addEventListener('invocation', ({ data }: MessageEvent<string>) => {
    const invocation = parseEvent<LiveInvocation>(data);
    if (invocation !== undefined) tell({ kind: 'invocation', invocation });
  });
  opened.addEventListener('run', ({ data }: MessageEvent<string>) => {
    const run = parseEvent<{ readonly id: string }>(data);
    if (run !== undefined) tell({ kind: 'run', id: run.id });
  });
  opened.addEventListener('load', () => tell({ kind: 'load' }));
  opened.addEventListener('catalog', () => tell({ kind: 'catalog' }));
  opened.addEventListener('connection', () => tell({ kind: 'connection' }));
  // The server left some out because we were slow.
  opened.addEventListener('skipped', () => tell({ kind: 'tick' }));
  opened.onopen = () => {
    tickEvery(SLOW_TICK_MS);
    if (mayHaveMissed) {
      // What we may do, too: the stream tells of changes from now on.
      void checkSession();
      tell({ kind: 'tick' });
    }
    mayHaveMissed = false;
  };
  opened.onerror = () => {
    mayHaveMissed = true;
    // The server ends the streams of a token that is good no longer.
    void checkSession();
    tickEvery(TICK_MS);
    // The browser connects again by itself, unless it was refused.
    if (opened.readyState === EventSource.CLOSED) again ??= setTimeout(open, AGAIN_MS);
  };
}

function close(): void {
  stream?.close();
  stream = undefined;
  clearInterval(ticking?.timer);
  ticking = undefined;
  clearTimeout(again);
  again = undefined;
  mayHaveMissed = false;
}

/** Keeps a timer of the same interval: a stream that fails every few seconds must not restart the wait each time. */
function tickEvery(everyMs: number): void {
  if (ticking?.everyMs === everyMs) return;
  clearInterval(ticking?.timer);
  const tick = () => {
    if (!document.hidden) tell({ kind: 'tick' });
  };
  ticking = { everyMs, timer: setInterval(tick, everyMs) };
}

function tell(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** What our own server sends under the name of the event; see its contract. */
function parseEvent<T>(data: string): T | undefined {
  try {
    return JSON.parse(data) as T;
  } catch {
    return undefined;
  }
}
