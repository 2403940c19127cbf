// What the OTEL_ variables ask for, with the defaults of their specification. What cannot be used is told and left out.
import { echoText } from '../text/list-text.ts';
import type { Attributes } from '../values/trace.ts';
import { DEFAULT_SAMPLER, findSampler, type Sampler } from './sampler.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface TelemetryOptions {
  /** Absent: this signal is not sent. */
  readonly traces: SignalOptions | undefined;
  readonly metrics: SignalOptions | undefined;
  readonly sampler: Sampler;
  /** Without what the program knows of itself. */
  readonly resource: Attributes;
  readonly batch: BatchOptions;
  readonly metricsEveryMs: number;
  /** For one round of metrics, with all attempts. */
  readonly metricsWithinMs: number;
}

export interface SignalOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of one attempt. */
  readonly timeoutMs: number;
  readonly isGzip: boolean;
}

export interface BatchOptions {
  readonly delayMs: number;
  readonly mostQueued: number;
  readonly mostInBatch: number;
  /** For one batch, with all attempts. */
  readonly withinMs: number;
}

export interface ReadVariables {
  readonly options: TelemetryOptions;
  /** Sentences. */
  readonly problems: readonly string[];
}

export function parseVariables(variables: Variables): ReadVariables {
  // Most of them hold for both signals: each is told once.
  const problems = new Set<string>();
  const read: Reading = { variables, tell: (problem) => void problems.add(problem) };
  const mostQueued = wholeNumber(read, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048);
  const options: TelemetryOptions = {
    traces: signalOf(read, 'TRACES'),
    metrics: signalOf(read, 'METRICS'),
    sampler: samplerOf(read),
    resource: resourceOf(read),
    batch: {
      delayMs: wholeNumber(read, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
      mostQueued,
      mostInBatch: Math.min(mostQueued, wholeNumber(read, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512)),
      withinMs: wholeNumber(read, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
    metricsEveryMs: wholeNumber(read, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000),
    metricsWithinMs: wholeNumber(read, 'OTEL_METRIC_EXPORT_TIMEOUT', 30_000),
  };
  return { options, problems: [...problems] };
}

interface Reading {
  readonly variables: Variables;
  readonly tell: (problem: string) => void;
}

/** An empty one counts as unset. */
const textOf = ({ variables }: Reading, name: string): string | undefined => variables[name]?.trim() || undefined;

/** A timer cannot wait longer. */
const LONGEST = 2 ** 31 - 1;

function wholeNumber(read: Reading, name: string, usual: number): number {
  const text = textOf(read, name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= LONGEST) return value;
  read.tell(`Cannot use ${name}: "${echoText(text, 40)}" is not a whole number from 1 to ${LONGEST}; ${usual} is used`);
  return usual;
}

const PREFIX = 'OTEL_EXPORTER_OTLP';
type Signal = 'TRACES' | 'METRICS';

/** What is said of the one signal comes before what is said of all. */
function ofSignal(read: Reading, signal: Signal, field: string): readonly [name: string, text: string] | undefined {
  for (const name of [`${PREFIX}_${signal}_${field}`, `${PREFIX}_${field}`]) {
    const text = textOf(read, name);
    if (text !== undefined) return [name, text];
  }
  return undefined;
}

function signalOf(read: Reading, signal: Signal): SignalOptions | undefined {
  const exporter = textOf(read, `OTEL_${signal}_EXPORTER`) ?? 'otlp';
  if (exporter === 'none') return undefined;
  if (exporter !== 'otlp') {
    read.tell(`Cannot use OTEL_${signal}_EXPORTER: "${echoText(exporter, 40)}" is not known here; use otlp or none`);
    return undefined;
  }
  const url = urlOf(read, signal);
  if (url === undefined) return undefined;
  checkProtocol(read, signal);
  const [timeoutName = `${PREFIX}_TIMEOUT`] = ofSignal(read, signal, 'TIMEOUT') ?? [];
  return {
    url,
    headers: headersOf(read, signal),
    timeoutMs: wholeNumber(read, timeoutName, 10_000),
    isGzip: isGzip(read, signal),
  };
}

const PATHS = { TRACES: 'v1/traces', METRICS: 'v1/metrics' } as const satisfies Record<Signal, string>;

function urlOf(read: Reading, signal: Signal): string | undefined {
  const [name, text] = ofSignal(read, signal, 'ENDPOINT') ?? [];
  if (name === undefined || text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Not repeated: an address may hold a password.
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    read.tell(`Cannot use ${name}: it is not an address; use one such as http://127.0.0.1:4318`);
    return undefined;
  }
  if (url.username !== '' || url.password !== '') {
    read.tell(`Cannot use ${name}: it holds a user or a password; put the credential into ${PREFIX}_HEADERS`);
    return undefined;
  }
  if (name === `${PREFIX}_ENDPOINT`) url.pathname = `${url.pathname.replace(/\/$/, '')}/${PATHS[signal]}`;
  return url.href;
}

/** The only form that we write. Where another one is named, this one is still sent: most collectors take both. */
const PROTOCOL = 'http/json';

function checkProtocol(read: Reading, signal: Signal): void {
  const [name, text] = ofSignal(read, signal, 'PROTOCOL') ?? [];
  if (text === undefined || text === PROTOCOL) return;
  read.tell(`${name} is "${echoText(text, 40)}", but only ${PROTOCOL} is spoken here: that is what is sent`);
}

function isGzip(read: Reading, signal: Signal): boolean {
  const [name, text = 'none'] = ofSignal(read, signal, 'COMPRESSION') ?? [];
  if (text !== 'none' && text !== 'gzip')
    read.tell(`Cannot use ${name}: "${echoText(text, 40)}" is not known here; use gzip or none`);
  return text === 'gzip';
}

/** Both kinds together; of a name in both, that of the signal counts. */
function headersOf(read: Reading, signal: Signal): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const name of [`${PREFIX}_HEADERS`, `${PREFIX}_${signal}_HEADERS`]) {
    for (const [key, value] of pairsIn(read, name)) {
      const header = key.toLowerCase();
      if (OF_CONNECTION.includes(header)) read.tell(`Cannot use ${name}: ${header} is of the connection; leave it out`);
      else if (isHeader(key, value)) headers[header] = value;
      // Not repeated: it is most likely a credential.
      else read.tell(`Cannot use ${name}: an entry is not a header; write name=value with commas between them`);
    }
  }
  return headers;
}

/** With one of these nothing could be sent: the connection has its own. */
const OF_CONNECTION: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
];

const isHeader = (name: string, value: string): boolean => {
  try {
    new Headers([[name, value]]);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

/** `key=value` with commas between them, the values percent-encoded. */
function pairsIn(read: Reading, name: string): readonly (readonly [string, string])[] {
  const entries = (textOf(read, name) ?? '').split(',').filter((entry) => entry.trim() !== '');
  return entries.map((entry) => {
    const at = entry.indexOf('=');
    if (at < 0) return ['', ''] as const;
    return [entry.slice(0, at).trim(), decode(entry.slice(at + 1).trim())] as const;
  });
}

/** As it is, where it is not percent-encoded: so a password with a `%` works, too. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function samplerOf(read: Reading): Sampler {
  const name = textOf(read, 'OTEL_TRACES_SAMPLER') ?? DEFAULT_SAMPLER;
  const found = findSampler(name, ratioOf(read));
  if (found !== undefined) return found;
  read.tell(`Cannot use OTEL_TRACES_SAMPLER: "${echoText(name, 40)}" is not known here; ${DEFAULT_SAMPLER} is used`);
  return (_traceId, parent) => parent?.isSampled ?? true;
}

function ratioOf(read: Reading): number {
  const text = textOf(read, 'OTEL_TRACES_SAMPLER_ARG');
  const ratio = Number(text ?? 1);
  if (ratio >= 0 && ratio <= 1) return ratio;
  read.tell(`Cannot use OTEL_TRACES_SAMPLER_ARG: "${echoText(text ?? '', 40)}" is not a number from 0 to 1; 1 is used`);
  return 1;
}

function resourceOf(read: Reading): Attributes {
  const pairs = pairsIn(read, 'OTEL_RESOURCE_ATTRIBUTES');
  const isGood = pairs.every(([key]) => key !== '');
  if (!isGood)
    read.tell('Cannot use OTEL_RESOURCE_ATTRIBUTES: an entry has no name; write name=value with commas between them');
  const service = textOf(read, 'OTEL_SERVICE_NAME');
  return { ...(isGood ? Object.fromEntries(pairs) : {}), ...(service !== undefined && { 'service.name': service }) };
}
