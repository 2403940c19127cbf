// `repertoire log`: which typed skills ran and how it went, or with --loads which document skills were read.
import { StoreUnavailable } from '../execution/invocation-log.ts';
import type { CommandContext, ExitCode, Output } from './command.ts';
import { createFollower, type Follower } from './follow-log.ts';
import { toJsonLine } from './json-line.ts';
import { toJsonText } from './json-output.ts';
import { invocationView, type LogPage, type LogView, loadView } from './log-view.ts';
import type { OptionName } from './options.ts';
import { isStoreThere, withStore } from './read-store.ts';

const USUAL_LIMIT = 20;

export async function run(context: CommandContext): Promise<ExitCode> {
  const { flags, values, errors } = context;
  const unfit = flags.has('loads') ? NOT_FOR_LOADS.find((name) => values.has(name)) : undefined;
  if (unfit !== undefined) {
    errors.write(`Option --${unfit} does not go with --loads: leave one of the two out\n`);
    return 2;
  }
  return withStore(context, async (store) => {
    const now = new Date();
    if (flags.has('loads')) return show(loadView(store, values, now), context, now);
    // What a process that is gone left running did not go on without it.
    if (isStoreThere(context.settings)) await store.sweep();
    return show(invocationView(store, values, now), context, now);
  });
}

/** A load has neither. */
const NOT_FOR_LOADS: readonly OptionName[] = ['status', 'correlation-id'];

export async function show<T>(view: LogView<T>, context: CommandContext, now: Date): Promise<ExitCode> {
  if (context.flags.has('follow')) return follow(view, context, now);
  const page = await readPage(view, context);
  if (context.flags.has('json')) {
    const list = page.entries.map(view.toJson);
    context.output.write(toJsonText({ [view.key]: list, next_cursor: page.nextCursor ?? null }));
  } else if (page.entries.length > 0) {
    context.output.write(view.toText(page.entries.toReversed(), context.output));
  } else {
    context.errors.write(`${explainNone(view, context.values)}\n`);
  }
  return 0;
}

async function readPage<T>(view: LogView<T>, { values, settings }: CommandContext): Promise<LogPage<T>> {
  if (!isStoreThere(settings)) return { entries: [], nextCursor: undefined };
  return view.list(Number(values.get('limit')?.[0] ?? USUAL_LIMIT));
}

const FILTERS: readonly OptionName[] = ['skill', 'status', 'client', 'correlation-id', 'since'];

function explainNone<T>({ key, advice }: LogView<T>, values: CommandContext['values']): string {
  const filtered = FILTERS.filter((name) => values.has(name)).map((name) => `--${name}`);
  return filtered.length > 0
    ? `No ${key} to show: none fits ${filtered.join(' and ')}; leave it out to see all`
    : `No ${key} yet: ${advice}`;
}

const POLL_MS = 500;

/** First what is there, then what comes, until somebody ends it. */
async function follow<T>(view: LogView<T>, context: CommandContext, now: Date): Promise<ExitCode> {
  const { output, errors, settings, flags } = context;
  const signal = context.stopSignal();
  const write = (entries: readonly T[]) => {
    const text = flags.has('json')
      ? entries.map((entry) => toJsonLine(view.toJson(entry))).join('')
      : view.toText(entries, output);
    if (text !== '') output.write(text);
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
