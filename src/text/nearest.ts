// The names nearest to a mistyped one. Pure.
import { editDistance } from './edit-distance.ts';

/** At most `limit` candidates that a person may have meant, best first. */
export function findNearest(wanted: string, candidates: Iterable<string>, limit: number): readonly string[] {
  const target = wanted.trim().toLowerCase();
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of candidates) {
    const distance = closeness(target, name.toLowerCase());
    if (distance !== undefined) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, limit).map((entry) => entry.name);
}

/** The name that was meant, or else `instead` and all of them. */
export function adviceFor(stranger: string, names: readonly string[], instead: string): string {
  const [nearest] = findNearest(stranger, names, 1);
  return nearest === undefined ? `${instead} ${names.join(', ')}` : `did you mean "${nearest}"?`;
}

/** `undefined`: too different to be a slip. */
function closeness(target: string, name: string): number | undefined {
  if (target === '') return undefined;
  const allowed = Math.max(1, Math.floor(Math.max(target.length, name.length) / 3));
  const distance = editDistance(target, name, allowed);
  if (distance <= allowed) return distance;
  // A part of the name is how people search: `pdf` for `pdf-forms`.
  return target.length >= 3 && name.includes(target) ? allowed + name.length - target.length : undefined;
}

/** `"a"`, `"a" or "b"`, `"a", "b" or "c"`. */
export function orList(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
