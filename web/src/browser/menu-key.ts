// Ctrl K, or ⌘ K on Apple's machines: what opens the menu, and how it is written.
import { useLayoutEffect } from 'preact/hooks';

const isApple = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

export const MENU_KEY = isApple ? '⌘ K' : 'Ctrl K';

/** Also from a field: no text is written with it. Not over another dialog. */
export function useMenuKey(open: () => void): void {
  // From the moment that the page is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
}
