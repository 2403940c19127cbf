// Looks now and then whether the server still knows who we are, for callers that have no stream which would end.
import { useEffect } from 'preact/hooks';
import { checkSession } from './ask.ts';

const LOOK_MS = 15_000;

export function useSessionWatch(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const look = () => {
      if (!document.hidden) void checkSession();
    };
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isOn]);
}
