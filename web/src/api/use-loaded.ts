// What a route answers, as state of a component: loading, there, or failed, and what was there before.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Answer, type Asking, ask, type Trouble } from './ask.ts';
import { useWhenBack } from './when-back.ts';

export interface Loaded<T> {
  /** Stays while it is asked for again, so that nothing jumps. */
  readonly value: T | undefined;
  readonly trouble: Trouble | undefined;
  readonly isLoading: boolean;
  /** Asks again. */
  readonly reload: () => void;
}

interface Held<T> {
  readonly path: string | undefined;
  readonly value: T | undefined;
  readonly trouble: Trouble | undefined;
  readonly isLoading: boolean;
}

interface Loading<T> {
  /** The answer of one path is shown until the next is there. */
  readonly keep?: boolean;
  /** For what takes more than one request. The same function each time. */
  readonly load?: (path: string, asking: Asking) => Promise<Answer<T>>;
}

/** Without a path nothing is asked. */
export function useLoaded<T>(path: string | undefined, { keep = false, load = ask<T> }: Loading<T> = {}): Loaded<T> {
  const [held, setHeld] = useState<Held<T>>(NOTHING);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === undefined) return;
    const leaving = new AbortController();
    setHeld((before) => ({ ...before, isLoading: true }));
    load(path, { signal: leaving.signal }).then((answer) => {
      if (leaving.signal.aborted) return;
      setHeld((before) => afterAnswer(before, path, answer));
    });
    return () => leaving.abort();
  }, [path, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const isOfPath = held.path === path;
  useWhenBack(isOfPath && held.trouble !== undefined, reload);
  const isShown = isOfPath || keep;
  return {
    value: isShown ? held.value : undefined,
    trouble: isOfPath ? held.trouble : undefined,
    isLoading: path !== undefined && (held.isLoading || !isOfPath),
    reload,
  };
}

const NOTHING = { path: undefined, value: undefined, trouble: undefined, isLoading: false };

function afterAnswer<T>(before: Held<T>, path: string, answer: Awaited<ReturnType<typeof ask<T>>>): Held<T> {
  if (answer.ok) return { path, value: answer.value, trouble: undefined, isLoading: false };
  const value = before.path === path ? before.value : undefined;
  return { path, value, trouble: answer.trouble, isLoading: false };
}
