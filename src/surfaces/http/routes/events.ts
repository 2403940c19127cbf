// `/api/events`: what runs, what is read and what changes on any replica, as it happens (H5, N3). Nothing in it that was sent in or answered.
import type { Bus } from '../../../async/bus.ts';
import type { Peers } from '../../../async/peers.ts';
import type { CatalogChange } from '../../../catalog/view/compare-snapshots.ts';
import type { SeenClients } from '../../../identity/seen-clients.ts';
import { documentNames } from '../../../operations/limited-logs.ts';
import type { FileNote, LoadNote } from '../../../repertoire/load-log.ts';
import { perView } from '../../../repertoire/per-view.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { Runs } from '../../../skills/durable/runs.ts';
import type { InvocationEvent } from '../../../skills/record/invocation-events.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { EVENT_STREAM_HEADERS } from '../../streams/event-stream.ts';
import { refuse } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import { createLiveExchange, type Emit, type ExchangeLimits } from './live-exchange.ts';
import { createLiveFeed, type FeedLimits, type LiveFeed } from './live-feed.ts';

export interface EventParts {
  readonly runtime: Pick<Runtime, 'subscribe'>;
  readonly repertoire: Repertoire;
  readonly loads: Pick<LoadEvents, 'subscribe'>;
  readonly clients: Pick<SeenClients, 'subscribe'>;
  /** Absent where none survive. */
  readonly runs?: Pick<Runs, 'subscribe'> | undefined;
  /** The way to other replicas; absent where there can be none. */
  readonly replicas?: Replicas | undefined;
  readonly now: () => Date;
  readonly limits?: Partial<FeedLimits>;
  /** Only tests change these. */
  readonly exchange?: Partial<ExchangeLimits> | undefined;
}

export interface Replicas {
  readonly bus: Bus;
  readonly peers: Peers;
}

/** When there are too many streams: one may have closed by then. */
const COME_AGAIN_SECONDS = 30;

export function eventHandlers(parts: EventParts): Pick<Handlers, 'followEvents'> & { readonly close: () => void } {
  const { repertoire, replicas } = parts;
  let isClosed = false;
  /** Those with open streams, one for each view of the skills (N4). */
  const open = new Set<ViewFeed>();
  const feedFor = perView(repertoire, (view) => {
    const made: ViewFeed = createViewFeed(view, parts, () => {
      open.add(made);
      const stop = exchange?.attend();
      return () => {
        open.delete(made);
        stop?.();
      };
    });
    return made;
  });
  const exchange =
    replicas &&
    createLiveExchange({
      ...replicas,
      subscribe: (emit) => subscribeHere(parts, emit),
      show: (event, makeData) => {
        for (const feed of open) feed.showForeign(event, makeData);
      },
      skip: (count) => {
        for (const feed of open) feed.skipForeign(count);
      },
      limits: parts.exchange,
    });
  return {
    followEvents: ({ admitted }) => {
      if (admitted.request.method === 'HEAD') return { status: 200, headers: EVENT_STREAM_HEADERS, body: '' };
      const { limits, response } = admitted;
      const { feed } = feedFor(admitted.caller);
      const end = () => void response.end();
      // Who may no longer read the log hears no more of it (N6), who sees other skills asks again (N4), and a page asks what its
      // reader may do now.
      const onRights = end;
      if (feed.isFull || !limits.openStream(admitted, end, onRights)) {
        return refuse('RATE_EXCEEDED', { retry_after: COME_AGAIN_SECONDS });
      }
      return {
        open: () => {
          feed.open(response);
          if (isClosed) feed.close();
        },
      };
    },
    close: () => {
      exchange?.close();
      isClosed = true;
      for (const { feed } of open) feed.close();
    },
  };
}

/** The live events of those who see the same skills. */
interface ViewFeed {
  readonly feed: LiveFeed;
  /** What happened on another replica. */
  readonly showForeign: Emit;
  skipForeign(count: number): void;
}

/** `attend`: called when the first stream opens; answers how to stop. */
function createViewFeed(view: Repertoire, parts: EventParts, attend: () => () => void): ViewFeed {
  const isWhole = view === parts.repertoire;
  const watch = () => {
    const stops = [
      subscribeHere({ ...parts, repertoire: view }, isWhole ? feed.emit : shown),
      // Only that there is something new: which agents there are is not for everyone who reads the log. Those of other
      // replicas are among them.
      parts.clients.subscribe(() => feed.emit('connection', () => ({}))),
      // That one changed, wherever it runs: it waits, runs, has said something, or has ended (J2).
      parts.runs?.subscribe((id) => feed.emit('run', () => ({ id }))) ?? (() => undefined),
      attend(),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };
  const feed = createLiveFeed(watch, parts.limits);
  const shown: Emit = (event, makeData) => {
    if (event !== 'load') return feed.emit(event, makeData);
    const data = makeData();
    if (isReadOf(view, data)) feed.emit(event, () => data);
  };
  return {
    feed,
    // What another replica counted is of all skills; this one sees the same change by itself.
    showForeign: isWhole
      ? feed.emit
      : (event, makeData) => {
          if (event !== 'catalog') shown(event, makeData);
        },
    skipForeign: (count) => feed.skip(isWhole ? count : 0),
  };
}

/** Of a skill that the view shows, and of a file that it shows of it. */
function isReadOf(view: Repertoire, read: object): boolean {
  const { skill_name: name, path } = { skill_name: undefined, path: undefined, ...read };
  if (typeof name !== 'string' || !documentNames(view).has(name)) return false;
  const skill = view.loadByName(name);
  return typeof path !== 'string' || (skill !== undefined && view.findManifestFile({ skill, path }) !== undefined);
}

/** What happens on this server alone. */
function subscribeHere({ runtime, repertoire, loads, now }: EventParts, emit: Emit): () => void {
  const stops = [
    runtime.subscribe((event) => {
      if (event.type !== 'progress') emit('invocation', () => invocationEventJson(event));
    }),
    loads.subscribe((note) => {
      const at = now();
      emit('load', () => loadEventJson(note, at));
    }),
    repertoire.subscribe((change) => emit('catalog', () => catalogEventJson(change))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function invocationEventJson(event: Exclude<InvocationEvent, { readonly type: 'progress' }>): object {
  const { invocation } = event;
  const result = event.type === 'end' ? event.result : undefined;
  return {
    id: invocation.id,
    skill_name: invocation.skillName,
    status: invocation.status,
    correlation_id: invocation.correlationId,
    invoking_agent: invocation.invokingAgent,
    duration_ms: result?.durationMs ?? null,
    failure_code: result === undefined || result.success ? null : result.failure.code,
    timestamp: invocation.timestamp.toISOString(),
  };
}

/** `path` only where another file than the SKILL.md was read. */
const loadEventJson = (note: LoadNote | FileNote, loadedAt: Date): object => ({
  skill_name: note.skillName,
  ...('path' in note && { path: note.path }),
  client: note.client,
  surface: note.surface,
  loaded_at: loadedAt.toISOString(),
});

const catalogEventJson = ({ added, changed, removed, snapshot }: CatalogChange): object => ({
  added: added.length,
  changed: changed.length,
  removed: removed.length,
  documents: snapshot.skills.length,
  problems: snapshot.problems.length,
});

type NoteRead = (note: LoadNote | FileNote) => void;

/** Loads, and reads of other files, as they happen, for live views. Costs nothing while there is no listener. */
export interface LoadEvents {
  readonly note: NoteRead;
  /** Returns the function that ends the subscription. Listeners never throw. */
  readonly subscribe: (listener: NoteRead) => () => void;
}

export function createLoadEvents(): LoadEvents {
  const listeners = new Set<NoteRead>();
  return {
    note: (read) => {
      for (const listener of listeners) listener(read);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
