// What was away is back: whatever could not be loaded meanwhile is asked for again, without a click.
import { useEffect, useRef } from 'preact/hooks';

const BACK = 'repertoire:back';

export const tellBack = (): boolean => dispatchEvent(new Event(BACK));

/** While `isOn`. The newest `listener` is called. */
export function useWhenBack(isOn: boolean, listener: () => void): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => {
    if (!isOn) return;
    const forward = () => newest.current();
    addEventListener(BACK, forward);
    return () => removeEventListener(BACK, forward);
  }, [isOn]);
}
