// What this process has counted since its start: invocations, loads and requests. Names of skills are bounded.

import type { LoadNote } from '../../../repertoire/load-log.ts';
import type { InvocationEvent } from '../../../skills/record/invocation-events.ts';
import type { Family, Sample } from './prometheus.ts';

export interface Metrics {
  /** A listener for `runtime.subscribe`. */
  countInvocation(event: InvocationEvent): void;
  /** For whatever hears of loads (D9). */
  countLoad(note: Pick<LoadNote, 'skillName' | 'surface'>): void;
  countRequest(status: number): void;
  /** `documents`: of loads, those of no other skills than these (N4). */
  families(documents?: ReadonlySet<string>): readonly Family[];
}

/** A catalog may hold 10,000 skills, and each label value is a series for ever: the rest is counted together. */
const MAX_NAMES = 1_000;
const OTHER = 'other';

export function createMetrics(): Metrics {
  const nameOf = createNames();
  const invocations = createCounter(
    'repertoire_invocations_total',
    'Typed skills that ran on this replica, by outcome: success or the failure code.',
    ['skill', 'outcome'],
  );
  const durations = createHistogram(
    'repertoire_invocation_duration_seconds',
    'How long typed skills took on this replica.',
  );
  const loads = createCounter(
    'repertoire_loads_total',
    'Document skills that were read from this replica, by surface.',
    ['skill', 'surface'],
  );
  const requests = createCounter(
    'repertoire_http_requests_total',
    'HTTP requests that this replica answered, by class of status.',
    ['status'],
  );
  return {
    countInvocation: (event) => {
      if (event.type !== 'end') return;
      const { result, invocation } = event;
      const skill = nameOf(invocation.skillName);
      invocations.count(skill, result.success ? 'success' : result.failure.code);
      durations.observe(skill, result.durationMs / 1_000);
    },
    countLoad: ({ skillName, surface }) => loads.count(nameOf(skillName), surface),
    countRequest: (status) => requests.count(STATUS_CLASSES[Math.floor(status / 100)] ?? OTHER),
    families: (documents) => {
      const all = loads.family();
      const samples = documents && all.samples.filter(({ labels }) => documents.has(labels?.skill ?? ''));
      return [invocations.family(), durations.family(), samples ? { ...all, samples } : all, requests.family()];
    },
  };
}

const STATUS_CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** The first thousand names as they are, every other one as `other`. */
function createNames(): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (names.has(name)) return name;
    if (names.size >= MAX_NAMES) return OTHER;
    names.add(name);
    return name;
  };
}

function createCounter(name: string, help: string, labelNames: readonly string[]) {
  const counts = new Map<string, { readonly values: readonly string[]; count: number }>();
  return {
    count: (...values: readonly string[]) => {
      const key = values.join('\0');
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { values, count: 1 });
      else known.count += 1;
    },
    family: (): Family => ({
      name,
      help,
      type: 'counter',
      samples: [...counts.values()].map(({ values, count }) => ({
        labels: Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? ''])),
        value: count,
      })),
    }),
  };
}

/** Upper bounds in seconds; from a look-up in memory to the longest time limit. */
const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

interface Observed {
  /** How many fell into each, the last one above every bound. */
  readonly counts: number[];
  sum: number;
}

function createHistogram(name: string, help: string) {
  const bySkill = new Map<string, Observed>();
  return {
    observe: (skill: string, seconds: number) => {
      const observed = bySkill.get(skill) ?? { counts: new Array(BOUNDS.length + 1).fill(0), sum: 0 };
      const at = BOUNDS.findIndex((bound) => seconds <= bound);
      const bucket = at < 0 ? BOUNDS.length : at;
      observed.counts[bucket] = (observed.counts[bucket] ?? 0) + 1;
      observed.sum += seconds;
      bySkill.set(skill, observed);
    },
    family: (): Family => ({
      name,
      help,
      type: 'histogram',
      samples: [...bySkill].flatMap(([skill, observed]) => histogramSamples(skill, observed)),
    }),
  };
}

/** Buckets count everything up to their bound. */
function histogramSamples(skill: string, { counts, sum }: Observed): readonly Sample[] {
  let total = 0;
  const buckets = counts.map((count, index): Sample => {
    total += count;
    const le = index < BOUNDS.length ? String(BOUNDS[index]) : '+Inf';
    return { suffix: '_bucket', labels: { skill, le }, value: total };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels: { skill }, value: sum },
    { suffix: '_count', labels: { skill }, value: total },
  ];
}
