// The step of a chart that the reader chose, as the address says it. Pure.

import { timeText } from '../text/format.ts';
import type { Overview } from './shapes.ts';

export interface Picked {
  readonly title: string;
  readonly filter: { readonly since: string; readonly until: string };
}

/** `undefined`: none. A time in the address may have been typed by hand and be no time at all. */
export function pickedIn(query: URLSearchParams): Picked | undefined {
  const [since, until] = [query.get('since'), query.get('until')];
  if (!isMoment(since) || !isMoment(until)) return undefined;
  const title = `Invocations from ${timeText(new Date(since))} to ${timeText(new Date(until))}`;
  return { title, filter: { since, until } };
}

const isMoment = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

export function spanOf({ series, step_seconds }: Overview, index: number): Picked['filter'] | undefined {
  const since = series[index]?.start;
  if (since === undefined) return undefined;
  return { since, until: new Date(Date.parse(since) + step_seconds * 1_000).toISOString() };
}
