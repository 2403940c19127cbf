// Looks again when something happened, however much of it happens.
import { useEffect, useRef } from 'preact/hooks';
import { type LiveEvent, useLive } from './live.ts';

/** Under load events come by the hundred; what a page shows need not. */
const REFRESH_MS = 2_000;

type Matters = (event: LiveEvent) => boolean;

/** Soon after an event that `matters`, and not more often than every two seconds, or every `waitMs`; while `isOn`. */
export function useRefresh(reload: () => void, matters: Matters = () => true, waitMs = REFRESH_MS, isOn = true): void {
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(isOn, (event) => {
    if (!matters(event)) return;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      reload();
    }, waitMs);
  });
}
