// Takes the reader to a part of the page: it scrolls there and has the focus, so that a keyboard goes on from there.

/** `inner`: what in it has the focus instead of itself. */
export function bringIntoView(place: HTMLElement | null, inner?: string): void {
  const target = inner === undefined ? place : (place?.querySelector<HTMLElement>(inner) ?? place);
  target?.focus({ preventScroll: true });
  if (place === null || isWhole(place)) return;
  place.scrollIntoView({ behavior: wantsNoMotion() ? 'auto' : 'smooth', block: 'start' });
}

/** What can be read where it is stays there. */
function isWhole(place: HTMLElement): boolean {
  const { top, bottom } = place.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
