// `/api/events`: what runs, what is read and what changes, as it happens (H5). Nothing in it that was sent in or answered.
import type { CatalogChange } from '../../../catalog/view/compare-snapshots.ts';
import type { SeenClients } from '../../../identity/seen-clients.ts';
import type { FileNote, LoadNote } from '../../../repertoire/load-log.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { InvocationEvent } from '../../../skills/record/invocation-events.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { EVENT_STREAM_HEADERS } from '../../streams/event-stream.ts';
import { refuse } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import { createLiveFeed, type FeedLimits } from './live-feed.ts';

export interface EventParts {
  readonly runtime: Pick<Runtime, 'subscribe'>;
  readonly repertoire: Pick<Repertoire, 'subscribe'>;
  readonly loads: Pick<LoadEvents, 'subscribe'>;
  readonly clients: Pick<SeenClients, 'subscribe'>;
  readonly now: () => Date;
  readonly limits?: Partial<FeedLimits>;
}

/** When there are too many streams: one may have closed by then. */
const COME_AGAIN_SECONDS = 30;

export function eventHandlers(parts: EventParts): Pick<Handlers, 'followEvents'> & { readonly close: () => void } {
  const { runtime, repertoire, loads, clients, now } = parts;
  const watch = () => {
    const stops = [
      runtime.subscribe((event) => {
        if (event.type !== 'progress') feed.emit('invocation', () => invocationEventJson(event));
      }),
      loads.subscribe((note) => feed.emit('load', () => loadEventJson(note, now()))),
      // Only that there is something new: which agents there are is not for everyone who reads the log.
      clients.subscribe(() => feed.emit('connection', () => ({}))),
      repertoire.subscribe((change) => feed.emit('catalog', () => catalogEventJson(change))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };
  const feed = createLiveFeed(watch, parts.limits);
  return {
    followEvents: ({ admitted }) => {
      if (admitted.request.method === 'HEAD') return { status: 200, headers: EVENT_STREAM_HEADERS, body: '' };
      const { limits, response } = admitted;
      if (feed.isFull || !limits.openStream(admitted, () => response.end())) {
        return refuse('RATE_EXCEEDED', { retry_after: COME_AGAIN_SECONDS });
      }
      return { open: () => feed.open(response) };
    },
    close: feed.close,
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
