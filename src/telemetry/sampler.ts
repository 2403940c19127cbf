// Which traces are kept, by OTEL_TRACES_SAMPLER and its argument.
import type { TraceContext } from './trace-context.ts';

/** `parent`: the caller's trace, where there is one. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

type Root = (traceId: string) => boolean;

const ROOTS = {
  always_on: () => () => true,
  always_off: () => () => false,
  traceidratio: (ratio: number) => byRatio(ratio),
} as const satisfies Record<string, (ratio: number) => Root>;

const PARENT_BASED = 'parentbased_';

export const DEFAULT_SAMPLER = 'parentbased_always_on';

/** `undefined`: there is no sampler of this name. */
export function findSampler(name: string, ratio: number): Sampler | undefined {
  const isParentBased = name.startsWith(PARENT_BASED);
  const rootName = isParentBased ? name.slice(PARENT_BASED.length) : name;
  if (!Object.hasOwn(ROOTS, rootName)) return undefined;
  // It is one of the names: that was asked.
  const root: Root = ROOTS[rootName as keyof typeof ROOTS](ratio);
  return (traceId, parent) => (isParentBased && parent !== undefined ? parent.isSampled : root(traceId));
}

/** The last 14 digits of an id are random by the standard: every program that looks at them decides the same. */
const RANDOM_DIGITS = 14;
const ALL = 16 ** RANDOM_DIGITS;

function byRatio(ratio: number): Root {
  const least = (1 - ratio) * ALL;
  // An id just below the end may be rounded up to it: a ratio of nothing samples nothing all the same.
  return (traceId) => ratio > 0 && Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= least;
}
