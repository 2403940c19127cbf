// Tells the other replicas what changed here (N2): a client may hear of a change from one replica and ask another that has
// not seen it yet, so that each tells when it has. Many changes in a row become one message.
import type { Bus } from '../../../async/bus.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { ServerEvent } from './method.ts';
import { eventKey } from './server-event.ts';

const TOPIC = 'mcp.changed';
/** As long as a burst of changes takes, and not so long that a person notices. */
const GATHER_MS = 250;
/** A message between processes is small. */
const MOST_CHARACTERS = 4_000;

/** What another replica saw. `everything`: too much to say. */
export type ForeignChange = { readonly kind: 'everything' } | ServerEvent;

export class ChangeRelay {
  readonly #bus: Bus;
  /** Those that everyone may be told, and the others (N4). */
  readonly #open = new Map<string, ServerEvent>();
  readonly #closed = new Map<string, ServerEvent>();
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: Bus, hear: (change: ForeignChange, isOpen: boolean) => void) {
    this.#bus = bus;
    this.#unsubscribe = bus.subscribe(TOPIC, (body, isOwn) => {
      if (!isOwn) for (const change of changesIn(body)) hear(change, body.open === true);
    });
  }

  /** `isOpen`: everyone may be told. */
  note(event: ServerEvent, isOpen: boolean): void {
    (isOpen ? this.#open : this.#closed).set(eventKey(event), event);
    this.#timer ??= setTimeout(() => this.#publish(), GATHER_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
  }

  #publish(): void {
    this.#timer = undefined;
    for (const key of this.#open.keys()) this.#closed.delete(key);
    for (const [events, open] of [[this.#open, true] as const, [this.#closed, false] as const]) {
      if (events.size > 0) this.#bus.publish(TOPIC, bodyOf([...events.values()], open));
      events.clear();
    }
  }
}

function bodyOf(events: readonly ServerEvent[], open: boolean): JsonObject {
  const lists = events.flatMap((event) => (event.kind === 'resource' ? [] : [event.kind]));
  const uris = events.flatMap((event) => (event.kind === 'resource' ? [event.uri] : []));
  const body = { lists, uris, open };
  return JSON.stringify(body).length <= MOST_CHARACTERS ? body : { everything: true, open };
}

/** Another version of this program may have sent it: what is not known is left out. */
function changesIn({ everything, lists, uris }: JsonObject): readonly ForeignChange[] {
  if (everything === true) return [{ kind: 'everything' }];
  return [
    ...textsIn(lists).flatMap((kind) => (isListKind(kind) ? [{ kind }] : [])),
    ...textsIn(uris).map((uri) => ({ kind: 'resource' as const, uri })),
  ];
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const isListKind = (kind: string): kind is 'tools' | 'prompts' | 'resources' =>
  kind === 'tools' || kind === 'prompts' || kind === 'resources';
