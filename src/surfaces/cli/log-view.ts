// The two logs, invocations and loads, as one shape that `log` prints and follows.

import type { Load } from '../../repertoire/load-log.ts';
import type { InvocationStatus } from '../../skills/define/invocation.ts';
import type { LoggedInvocation } from '../../skills/record/invocation-log.ts';
import { grouped } from '../../text/counted.ts';
import { durationMs } from '../../values/duration-ms.ts';
import { loadJson, loggedInvocationJson } from '../answers/log-json.ts';
import type { CommandContext } from './command.ts';
import { type FollowSource, invocationSource, loadSource } from './follow-log.ts';
import type { OptionName } from './options.ts';
import type { Store } from './read-store.ts';
import { invocationLines, loadLines, renderInvocations, renderLoads } from './render-log.ts';
import type { Output } from './terminal/output.ts';

export interface LogPage<T> {
  readonly entries: readonly T[];
  readonly nextCursor: string | undefined;
}

export interface LogView<T> {
  /** The list's key in JSON. */
  readonly key: 'invocations' | 'loads';
  /** How entries come about, for somebody who sees none. */
  readonly advice: string;
  /** What else was recorded, as a sentence; absent or `undefined`: nothing to tell. */
  readonly findOthers?: () => Promise<string | undefined>;
  readonly source: FollowSource<T>;
  /** Newest first; behind the place that the cursor names. */
  list(limit: number, cursor?: string): Promise<LogPage<T>>;
  toJson(entry: T): unknown;
  toText(entries: readonly T[], output: Output): string;
}

type Values = CommandContext['values'];
type Logs = Pick<Store, 'invocations' | 'loads'>;

export function invocationView({ invocations, loads }: Logs, values: Values, now: Date): LogView<LoggedInvocation> {
  const status = values.get('status')?.[0];
  const filter = {
    ...given('skill', values, 'skill'),
    ...given('agent', values, 'client'),
    ...given('correlationId', values, 'correlation-id'),
    // The parser lets only these through.
    ...(status !== undefined && { status: status as InvocationStatus }),
    ...sinceOf(values, now),
  };
  return {
    key: 'invocations',
    advice: 'repertoire invoke NAME makes one',
    findOthers: () => tellLoads(loads),
    source: invocationSource(invocations, filter),
    async list(limit, cursor) {
      const page = await invocations.list({ ...filter, limit, ...(cursor !== undefined && { cursor }) });
      return { entries: page.invocations, nextCursor: page.nextCursor };
    },
    toJson: loggedInvocationJson,
    toText: (entries, output) => (output.isTerminal ? renderInvocations(entries, output) : invocationLines(entries)),
  };
}

export function loadView({ loads }: Logs, values: Values, now: Date): LogView<Load> {
  const filter = { ...given('skill', values, 'skill'), ...given('client', values, 'client'), ...sinceOf(values, now) };
  return {
    key: 'loads',
    advice: 'they come when an agent reads a skill; repertoire connect HOST connects one',
    source: loadSource(loads, filter),
    async list(limit, cursor) {
      const page = await loads.list({ ...filter, limit, ...(cursor !== undefined && { cursor }) });
      return { entries: page.loads, nextCursor: page.nextCursor };
    },
    toJson: loadJson,
    toText: (entries, output) => (output.isTerminal ? renderLoads(entries, output) : loadLines(entries)),
  };
}

/** Beyond it the number says nothing more. */
const MOST_COUNTED = 1_000;

async function tellLoads(loads: Logs['loads']): Promise<string | undefined> {
  const { loads: found, nextCursor } = await loads.list({ limit: MOST_COUNTED });
  if (found.length === 0) return undefined;
  const more = nextCursor === undefined ? '' : 'More than ';
  const were = found.length === 1 ? 'document was' : 'documents were';
  return `${more}${grouped(found.length)} ${were} read: repertoire log --loads`;
}

/** One field of a query, if its option was given. */
function given<K extends string>(key: K, values: Values, option: OptionName): { readonly [P in K]?: string } {
  const value = values.get(option)?.[0];
  // A computed key makes the compiler forget which one it is.
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}

function sinceOf(values: Values, now: Date): { readonly since?: Date } {
  const since = values.get('since')?.[0];
  return since === undefined ? {} : { since: new Date(now.getTime() - durationMs(since)) };
}
