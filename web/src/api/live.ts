// What happens on the server while a page is open: one event stream for the whole page, or a look every few seconds without it.
import { useEffect, useRef } from 'preact/hooks';
import type { LiveInvocation } from '../invocation-rows.ts';

type LiveEvent =
  | { readonly kind: 'invocation'; readonly invocation: LiveInvocation }
  | { readonly kind: 'load' }
  | { readonly kind: 'catalog' }
  /** Something may have happened that we were not told. */
  | { readonly kind: 'tick' };

type Listener = (event: LiveEvent) => void;

const TICK_MS = 5_000;
/** A stream that ended is tried again after this; meanwhile there are ticks. */
const AGAIN_MS = 30_000;

const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let timers: readonly ReturnType<typeof setTimeout>[] = [];

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

function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) open();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) close();
  };
}

function open(): void {
  close();
  const opened = new EventSource('/api/events');
  stream = opened;
  const tellInvocation = ({ data }: MessageEvent<string>) => {
    const invocation = parseInvocation(data);
    if (invocation !== undefined) tell({ kind: 'invocation', invocation });
  };
  opened.addEventListener('invocation', tellInvocation);
  opened.addEventListener('load', () => tell({ kind: 'load' }));
  opened.addEventListener('catalog', () => tell({ kind: 'catalog' }));
  // The server left some out because we were slow.
  opened.addEventListener('skipped', () => tell({ kind: 'tick' }));
  opened.onopen = stopTicking;
  // The browser connects again by itself, unless it was refused; either way something may be missed meanwhile.
  opened.onerror = () => startTicking(opened.readyState === EventSource.CLOSED);
}

function close(): void {
  stream?.close();
  stream = undefined;
  stopTicking();
}

function startTicking(isRefused: boolean): void {
  stopTicking();
  const tick = setInterval(() => {
    if (!document.hidden) tell({ kind: 'tick' });
  }, TICK_MS);
  timers = isRefused ? [tick, setTimeout(open, AGAIN_MS)] : [tick];
}

function stopTicking(): void {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
}

function tell(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

function parseInvocation(data: string): LiveInvocation | undefined {
  try {
    // What our own server sends under this name; see its contract.
    return JSON.parse(data) as LiveInvocation;
  } catch {
    return undefined;
  }
}
