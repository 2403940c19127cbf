// One of something for each view of the skills (N4): what is made or kept for one view is used for that view alone.
import type { Caller } from '../identity/caller.ts';
import type { Repertoire } from './repertoire.ts';

/** Made when first asked for; forgotten with the view. */
export function perView<T>(repertoire: Repertoire, make: (view: Repertoire) => T): (caller: Caller) => T {
  const made = new WeakMap<Repertoire, { readonly value: T }>();
  return (caller) => {
    const view = repertoire.for(caller);
    const known = made.get(view) ?? { value: make(view) };
    made.set(view, known);
    return known.value;
  };
}
