// Acts when a value has become another one, and not when it is first there.
import { useEffect, useRef } from 'preact/hooks';

/** `me` is such a value: it is another object only when the server says something else of who is signed in (N6). */
export function useChange(value: unknown, act: () => void): void {
  const former = useRef(value);
  useEffect(() => {
    if (former.current === value) return;
    former.current = value;
    act();
  }, [value]);
}
