// Messages on their way to the other processes of a store. Bounded; what must not be lost waits while the store is away.
import type { MessageKind } from '../async/bus.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { BusMessage } from './event-table.ts';

export interface Outgoing extends BusMessage {
  readonly kind: MessageKind;
}

export interface OutboxParts {
  /** All or nothing. Rejects with StoreUnavailable while the store is away. */
  readonly send: (messages: readonly Outgoing[]) => Promise<void>;
  readonly retryMs: number;
  /** So many messages had no room: those who hear the next one may have missed them. */
  readonly onOverflow: () => void;
  readonly onFault: (error: unknown) => void;
}

export interface Outbox {
  /** Never throws, never waits. */
  readonly add: (message: Outgoing) => void;
  /** Sends what waits, if the store takes it now. */
  readonly close: () => Promise<void>;
}

const MOST_WAITING = 1_000;
const AT_ONCE = 100;

export function createOutbox({ send, retryMs, onOverflow, onFault }: OutboxParts): Outbox {
  let waiting: Outgoing[] = [];
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const trySend = async (): Promise<'sent' | 'away'> => {
    while (waiting.length > 0) {
      const some = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      try {
        await send(some);
      } catch (error) {
        // A fault of ours would be one again.
        if (!(error instanceof StoreUnavailable)) onFault(error);
        else {
          waiting = [...some, ...waiting].filter(({ kind }) => kind === 'kept');
          return 'away';
        }
      }
    }
    return 'sent';
  };
  const start = () => {
    if (sending !== undefined || timer !== undefined) return;
    sending = trySend().then((outcome) => {
      sending = undefined;
      if (outcome === 'sent' || isClosed) return;
      timer = setTimeout(() => {
        timer = undefined;
        start();
      }, retryMs).unref();
    });
  };
  return {
    add: (message) => {
      if (isClosed) return;
      waiting.push(message);
      if (waiting.length > MOST_WAITING) {
        waiting = waiting.slice(-MOST_WAITING / 2);
        onOverflow();
      }
      start();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
      await sending;
      if (waiting.length > 0) await trySend();
    },
  };
}
