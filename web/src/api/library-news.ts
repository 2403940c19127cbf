// One part of the page tells the others that it changed the library: what waits for review is counted again.
const CHANGED = 'repertoire:library';

export const tellLibraryChanged = (): void => {
  window.dispatchEvent(new Event(CHANGED));
};

/** Answers how to stop. */
export function onLibraryChanged(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}
