// Keeps what is shown of runs up to date: by the stream where the viewer has it, else by looking every few seconds.
import { useEffect, useRef } from 'preact/hooks';
import type { Me } from '../model/shapes.ts';
import type { LiveEvent } from './live.ts';
import { useRefresh } from './use-refresh.ts';

/** The stream is for those who read the log. */
const LOOK_MS = 5_000;
const SOON_MS = 500;

/** `matters`: of the events of the stream. */
export function useFresh(me: Me, look: () => void, matters: (event: LiveEvent) => boolean): void {
  const newest = useRef(look);
  newest.current = look;
  useRefresh(look, matters, SOON_MS, me.may_read_log);
  useEffect(() => {
    if (me.may_read_log) return;
    const lookNow = () => {
      if (!document.hidden) newest.current();
    };
    const timer = setInterval(lookNow, LOOK_MS);
    return () => clearInterval(timer);
  }, [me.may_read_log]);
}

export const isOfRuns = ({ kind }: LiveEvent): boolean => kind === 'run' || kind === 'tick';
