// `repertoire log`: which typed skills ran and how it went, or with --loads which document skills were read.

import { writeLeftLoads } from '../../app/store.ts';
import { type InvocationLog, StoreUnavailable } from '../../skills/record/invocation-log.ts';
import { toOneLine } from '../../text/one-line.ts';
import { isUuid } from '../../values/uuid.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createFollower, type Follower } from './follow-log.ts';
import { inOwnWords } from './hint-line.ts';
import { findIdFault, showRun } from './log-run.ts';
import { invocationView, type LogPage, type LogView, loadView } from './log-view.ts';
import { explainEmptyFolder, findDataFault, isStoreThere, type Store, withStore } from './open-store.ts';
import type { OptionName } from './options.ts';
import { exitSaying, type Output, saySentence } from './terminal/output.ts';
import { toJsonLine, toJsonText } from './terminal/safe-text.ts';

const USUAL_LIMIT = 20;

export async function run(context: CommandContext): Promise<ExitCode> {
  const { flags, errors } = context;
  const fault = findOptionFault(context);
  if (fault !== undefined) return exitSaying(context, fault, 2);
  const dataFault = findDataFault(context);
  if (dataFault !== undefined) {
    // To follow may begin before the first record.
    saySentence(errors, `${dataFault}${flags.has('follow') ? ', or wait until it is there' : ''}`);
    if (!flags.has('follow')) return 1;
  }
  return withStore(context, (store) => showLog(store, context));
}

const FILTERS: readonly OptionName[] = [
  'skill',
  'status',
  'failure-code',
  'client',
  'correlation-id',
  'since',
  'cursor',
];

/** One run is not filtered. */
const NOT_FOR_ONE: readonly OptionName[] = ['loads', 'follow', ...FILTERS, 'limit'];

/** A load has none of them. */
const NOT_FOR_LOADS: readonly OptionName[] = ['status', 'failure-code', 'correlation-id'];

function findOptionFault({ operands, flags, values, program }: CommandContext): string | undefined {
  const [one] = operands;
  const surplus = one === undefined ? undefined : NOT_FOR_ONE.find((name) => flags.has(name) || values.has(name));
  if (surplus !== undefined) return `Option --${surplus} cannot be combined with an id: leave one of them out`;
  const idFault = one === undefined ? undefined : findIdFault(one, { program, values });
  if (idFault !== undefined) return idFault;
  const unfit = flags.has('loads') ? NOT_FOR_LOADS.find((name) => values.has(name)) : undefined;
  if (unfit !== undefined) return `Option --${unfit} cannot be combined with --loads: leave one of them out`;
  if (flags.has('follow') && values.has('cursor')) {
    return 'Option --cursor cannot be combined with --follow: leave one of them out';
  }
  const [id] = values.get('correlation-id') ?? [];
  if (id === undefined || isCorrelationId(id)) return undefined;
  return `Option --correlation-id cannot be "${toOneLine(id)}": use 8-4-4-4-12 hexadecimal digits, or the first 8 of them`;
}

async function showLog(store: Store, context: CommandContext): Promise<ExitCode> {
  const now = new Date();
  const [one] = context.operands;
  if (one !== undefined) return showRun(isStoreThere(context.settings) ? store.invocations : NO_RUNS, one, context);
  const isThere = isStoreThere(context.settings);
  if (context.flags.has('loads')) {
    if (isThere) await writeLeftLoads(store, context.settings);
    return show(loadView(store, context.values, now), context, now);
  }
  if (!isThere) return show(invocationView(store, context.values, now), context, now);
  // What a process that is gone left running did not go on without it.
  await store.sweep();
  return show(invocationView(store, await withWholeId(store, context.values), now), context, now);
}

const NO_RUNS: Pick<InvocationLog, 'find' | 'list'> = {
  find: async () => undefined,
  list: async () => ({ invocations: [], nextCursor: undefined }),
};

async function withWholeId(
  { invocations }: Store,
  values: CommandContext['values'],
): Promise<CommandContext['values']> {
  const [given] = values.get('correlation-id') ?? [];
  if (given === undefined) return values;
  return new Map([...values, ['correlation-id', [await findCorrelationId(invocations, given)]]]);
}

const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

/** Whole, or so much of it that it means one. */
export const isCorrelationId = (text: string): boolean => isUuid(text) || BEGINNING.test(text);

/** The newest id that begins so, or of the run that does: `log` shows the ids of runs. The text itself when there is none. */
export async function findCorrelationId(log: Pick<InvocationLog, 'list'>, given: string): Promise<string> {
  if (isUuid(given)) return given;
  for (const query of [{ correlationIdBegins: given }, { idBegins: given }]) {
    const [found] = (await log.list({ ...query, limit: 1 })).invocations;
    if (found !== undefined) return found.invocation.correlationId;
  }
  return given;
}

export async function show<T>(view: LogView<T>, context: CommandContext, now: Date): Promise<ExitCode> {
  if (context.flags.has('follow')) return follow(view, context, now);
  const page = await readPage(view, context);
  if (context.flags.has('json')) {
    const list = page.entries.map(view.toJson);
    context.output.write(toJsonText({ [view.key]: list, next_cursor: page.nextCursor ?? null }));
  } else if (page.entries.length > 0) {
    context.output.write(view.toText(page.entries.toReversed(), context.output, { head: true }));
    if (context.output.isTerminal) context.errors.write(olderHint(page, context.errors));
  } else {
    return exitSaying(context, await explainNone(view, context), 0);
  }
  return 0;
}

async function readPage<T>(view: LogView<T>, { values, settings }: CommandContext): Promise<LogPage<T>> {
  if (!isStoreThere(settings)) return { entries: [], nextCursor: undefined };
  return view.list(Number(values.get('limit')?.[0] ?? USUAL_LIMIT), values.get('cursor')?.[0]);
}

/** On lines of its own: a cursor fills most of one. */
const olderHint = ({ nextCursor }: LogPage<unknown>, { paint }: Output): string =>
  nextCursor === undefined
    ? ''
    : `${paint.dim(`For older entries, run the same command with\n  --cursor ${nextCursor}`)}\n`;

async function explainNone<T>({ key, advice, findOthers }: LogView<T>, context: CommandContext): Promise<string> {
  const emptyFolder = explainEmptyFolder(context);
  if (emptyFolder !== undefined) return `No ${key} yet: ${emptyFolder}`;
  const filtered = FILTERS.filter((name) => context.values.has(name)).map((name) => `--${name}`);
  if (filtered.length > 0) return `No ${key} match ${filtered.join(' and ')}: leave it out to see all`;
  const others = isStoreThere(context.settings) ? await findOthers?.() : undefined;
  return inOwnWords(context, `No ${key} yet: ${advice}${others === undefined ? '' : `. ${others}`}`);
}

const POLL_MS = 500;

/** First what is there, then what comes, until it is stopped. */
async function follow<T>(view: LogView<T>, context: CommandContext, now: Date): Promise<ExitCode> {
  const { output, errors, settings, flags } = context;
  const signal = context.stopSignal();
  let head = true;
  const write = (entries: readonly T[]) => {
    if (entries.length === 0) return;
    const json = () => entries.map((entry) => toJsonLine(view.toJson(entry))).join('');
    output.write(flags.has('json') ? json() : view.toText(entries, output, { head }));
    head = false;
  };
  const follower = createFollower(view.source, now);
  // Looked at before the page is read: nothing falls between the two.
  if (isStoreThere(settings)) await follower.poll();
  const { entries } = await readPage(view, context);
  follower.skip(entries);
  write(entries.toReversed());
  const poll = createPoll(follower, errors);
  for (;;) {
    await pause(POLL_MS, signal);
    if (signal.aborted) return 0;
    if (isStoreThere(settings)) write(await poll());
  }
}

/** A store that goes away is said once; it may come back. */
function createPoll<T>(follower: Follower<T>, errors: Output): () => Promise<readonly T[]> {
  let isAway = false;
  return async () => {
    try {
      const fresh = await follower.poll();
      isAway = false;
      return fresh;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!isAway) errors.write(`${error.message}\n`);
      isAway = true;
      return [];
    }
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
