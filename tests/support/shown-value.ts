// Compares what a page shows with what was answered. "…" in the page stands for anything; a list may show some items only.
import { isDeepStrictEqual } from 'node:util';

/** The shown value with all that it leaves open taken from the real one: equal to it when the page is right. */
export function fillIn(shown: unknown, real: unknown): unknown {
  if (shown === '…') return real;
  if (typeof shown === 'string') return typeof real === 'string' && fits(shown, real) ? real : shown;
  if (Array.isArray(shown)) return fillInList(shown, real);
  if (typeof shown !== 'object' || shown === null || typeof real !== 'object' || real === null) return shown;
  const fields = real as Readonly<Record<string, unknown>>; // an object, by the line above
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, fillIn(value, fields[key])]));
}

/** JSON as pages write it: `"score":…` leaves out a number. */
export const parseShown = (text: string): unknown => JSON.parse(text.replaceAll(/":\s*…/g, '":"…"'));

function fillInList(shown: readonly unknown[], real: unknown): unknown {
  if (!Array.isArray(real)) return shown;
  const found = (item: unknown) => real.some((other) => isDeepStrictEqual(fillIn(item, other), other));
  // Where one is not found, item by item: the difference is then told where it is.
  return shown.length > 0 && shown.every(found) ? real : shown.map((item, index) => fillIn(item, real[index]));
}

function fits(shown: string, real: string): boolean {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(real);
}
