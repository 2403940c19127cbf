// The text that Prometheus reads, version 0.0.4. Pure: families in, text out.

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** Of a histogram: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One value. */
export const gauge = (name: string, help: string, value: number, labels?: Sample['labels']): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [labels === undefined ? { value } : { value, labels }],
});

export const counter = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
});

/** Families without samples are left out: a counter that never counted is not there yet. */
export function prometheusText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels, value }) => `${name}${suffix}${labelText(labels)} ${number(value)}\n`,
  );
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
