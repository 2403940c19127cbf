// Looks again when what the one who is signed in may do has changed under an open page (N6).
import { useEffect, useRef } from 'preact/hooks';
import type { Me } from '../model/shapes.ts';

/** `me` is another object only when the server says something else of them than before. */
export function useRightsChange(me: Me, reload: () => void): void {
  const shown = useRef(me);
  useEffect(() => {
    if (shown.current === me) return;
    shown.current = me;
    reload();
  }, [me]);
}
