// Which page is shown: the address is the state, links are links.
import { useEffect, useState } from 'preact/hooks';
import { keepList, keepPlace, takePlaceAgain } from './place-memory.ts';

export interface Place {
  /** Decoded, without empty ones. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    // Pages are drawn after their answers came: the browser would scroll before there is anything to scroll to.
    history.scrollRestoration = 'manual';
    const update = () => setPlace(currentPlace());
    const goBack = () => {
      update();
      takePlaceAgain();
    };
    const follow = (event: MouseEvent) => followLink(event);
    const leave = () => keepPlace();
    takePlaceAgain();
    addEventListener('pagehide', leave);
    addEventListener('popstate', goBack);
    addEventListener(MOVED, update);
    document.addEventListener('click', follow);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('popstate', goBack);
      removeEventListener(MOVED, update);
      document.removeEventListener('click', follow);
    };
  }, []);
  return place;
}

const MOVED = 'repertoire:moved';

export function goTo(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(MOVED));
}

/** The same page with other parameters: no new entry in the history, the reader goes back to another page. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  goTo(text === '' ? location.pathname : `${location.pathname}?${text}`, { replace: true });
}

export const pathTo = (...segments: readonly string[]): string => `/${segments.map(encodeURIComponent).join('/')}`;

function currentPlace(): Place {
  keepList(location.pathname, location.search);
  const segments = location.pathname.split('/').filter((segment) => segment !== '');
  return { segments: segments.map(decoded), query: new URLSearchParams(location.search) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Only plain clicks on links to pages of this dashboard; everything else is the browser's. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download')) return;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  if (link.getAttribute('href')?.startsWith('#')) return;
  const isSamePage = link.pathname === location.pathname;
  keepPlace(link);
  goTo(link.pathname + link.search);
  // A file of the same page opens over it; the page stays where it is.
  if (!isSamePage) scrollTo(0, 0);
}
