// The bus of all processes on one store (N3): told at once in this process, and carried to the others by the database.
import { createBoundedMap } from '../async/bounded-map.ts';
import { type Bus, createLocalBus, type MessageKind } from '../async/bus.ts';
import { monotonicMs } from '../async/monotonic-clock.ts';
import type { JsonObject } from '../values/json-object.ts';
import { createFileInlet } from './bus-file-inlet.ts';
import { BUS_RHYTHM, type BusInlet, type BusRhythm, type InletParts } from './bus-inlet.ts';
import { createNotifiedInlet } from './bus-notified-inlet.ts';
import { createOutbox, type Outgoing } from './bus-outbox.ts';
import { findWholePayload, type HeardMessage, notify, writeMessage } from './event-table.ts';
import type { GuardedSql } from './guarded-sql.ts';
import type { Announced } from './own-announcements.ts';

export interface StoreBus extends Bus {
  /** Since the start of this process. */
  readonly counts: () => BusCounts;
  /** A transaction of this process announced it, and is committed. Never throws. */
  readonly tellOwn: (announced: Announced) => void;
  /** Sends what waits, if the store takes it. */
  readonly close: () => Promise<void>;
}

interface BusCounts {
  readonly sent: number;
  /** Of other processes. */
  readonly received: number;
  /** How often some of theirs may have been missed. */
  readonly gaps: number;
}

export interface StoreBusParts {
  readonly database: GuardedSql;
  /** Of this process, as its messages say it. */
  readonly origin: string;
  /** A listener threw, or the code here is wrong. */
  readonly onFault: (error: unknown) => void;
  readonly rhythm?: Partial<BusRhythm> | undefined;
}

/** Between buses: what we left out had no room; a process that sent it hears no notifications. */
const GAP = 'bus.gap';
const DEAF = 'bus.deaf';

/** One that is forgotten is heard twice, which is no harm. */
const MOST_HALF_KNOWN = 1_000;

/** A process that hears no notifications says so every ten seconds. */
const DEAF_MS = 30_000;

/** Nothing is opened before the first message or listener, and without a listener nothing is read. */
export function createStoreBus({ database, origin, onFault, rhythm: given }: StoreBusParts): StoreBus {
  const rhythm = { ...BUS_RHYTHM, ...given };
  const counts = { sent: 0, received: 0, gaps: 0 };
  const local = createLocalBus(onFault);
  let deafUntil = Number.NEGATIVE_INFINITY;
  /** What is announced here comes by two ways, told and heard: those that came by one, and not by the other yet. */
  const ownRows = createBoundedMap<number, 'told' | 'heard'>({ most: MOST_HALF_KNOWN });
  const isNews = (id: number | undefined, way: 'told' | 'heard'): boolean => {
    if (id === undefined) return true;
    const known = ownRows.get(id) ?? way;
    // The same way twice: the number is another message's, of a file that was replaced.
    if (known === way) ownRows.set(id, way);
    else ownRows.delete(id);
    return known === way;
  };
  let isHearing = false;
  const gap = (isFirst: boolean) => {
    if (!isFirst) counts.gaps += 1;
    isHearing = true;
    // Numbers may begin anew: another file lies there.
    ownRows.clear();
    local.gap();
  };
  const hear = (message: HeardMessage) => {
    const isOwn = message.origin === origin;
    if (isOwn && (message.isTold || !isNews(message.id, 'heard'))) return;
    if (!isOwn) counts.received += 1;
    if (message.topic === GAP) gap(false);
    else if (message.topic === DEAF) deafUntil = monotonicMs() + DEAF_MS;
    else if (isOwn) local.publish(message.topic, message.body);
    else local.deliver(message.topic, message.body);
  };
  const say = (topic: string, body: JsonObject, kind: MessageKind) =>
    outbox.add({ topic, body, origin, isTold: true, kind });
  const outbox = createOutbox({
    send: async (messages) => {
      await send(database, messages, monotonicMs() < deafUntil);
      counts.sent += messages.length;
    },
    retryMs: rhythm.retryMs,
    onOverflow: () => say(GAP, {}, 'kept'),
    onFault,
  });
  const inlet = createInlet({ database, hear, gap, onFault, rhythm, onDeaf: () => say(DEAF, {}, 'kept') });
  return {
    publish: (topic, body, kind = 'kept') => {
      local.publish(topic, body);
      say(topic, body, kind);
    },
    subscribe: (topic, listener) => {
      inlet.start();
      return local.subscribe(topic, listener);
    },
    onGap: (listener) => {
      inlet.start();
      const stop = local.onGap(listener);
      // One that comes after the first time that anything could be heard has missed that.
      if (isHearing) void Promise.resolve().then(listener).catch(onFault);
      return stop;
    },
    counts: () => ({ ...counts }),
    tellOwn: ({ message: { topic, body }, id }) => {
      if (isNews(id, 'told')) local.publish(topic, body);
    },
    close: async () => {
      await Promise.all([inlet.close(), outbox.close()]);
    },
  };
}

function createInlet({ onDeaf, ...parts }: InletParts & { readonly onDeaf: () => void }): BusInlet {
  return parts.database.dialect.kind === 'postgres'
    ? createNotifiedInlet({ ...parts, onDeaf })
    : createFileInlet(parts);
}

/** What passes is a notification alone, where all hear them and it is short enough. */
async function send(database: GuardedSql, messages: readonly Outgoing[], isHeardByRowsOnly: boolean): Promise<void> {
  const rows: Outgoing[] = [];
  for (const message of messages) {
    const isPassing = message.kind === 'passing' && database.dialect.kind === 'postgres' && !isHeardByRowsOnly;
    const payload = isPassing ? findWholePayload(message, null) : undefined;
    if (payload === undefined) rows.push(message);
    else await database.read(notify(payload));
  }
  if (rows.length === 0) return;
  await database.write(function* () {
    for (const message of rows) yield* writeMessage(database.dialect, message);
  });
}
