// Tells the other replicas what changed here (N2): a client may hear of a change from one replica and ask another that has
// not seen it yet, so that each tells when it has. Many changes in a row become one message.
import type { Bus } from '../../../async/bus.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { OpenTo, ServerEvent } from './method.ts';
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
  /** By who may be told (N4). */
  readonly #gathered = new Map<string, Gathered>();
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: Bus, hear: (change: ForeignChange, openTo: OpenTo) => void) {
    this.#bus = bus;
    this.#unsubscribe = bus.subscribe(TOPIC, (body, isOwn) => {
      if (!isOwn) for (const change of changesIn(body)) hear(change, openToIn(body));
    });
  }

  note(event: ServerEvent, openTo: OpenTo): void {
    const key = String(openTo);
    const gathered = this.#gathered.get(key) ?? { openTo, events: new Map() };
    this.#gathered.set(key, gathered);
    gathered.events.set(eventKey(event), event);
    this.#timer ??= setTimeout(() => this.#publish(), GATHER_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
  }

  #publish(): void {
    this.#timer = undefined;
    const open = this.#gathered.get('all');
    for (const { openTo, events } of this.#gathered.values()) {
      if (openTo !== 'all') for (const key of open?.events.keys() ?? []) events.delete(key);
      if (events.size > 0) this.#bus.publish(TOPIC, bodyOf([...events.values()], openTo));
    }
    this.#gathered.clear();
  }
}

interface Gathered {
  readonly openTo: OpenTo;
  readonly events: Map<string, ServerEvent>;
}

function bodyOf(events: readonly ServerEvent[], openTo: OpenTo): JsonObject {
  const lists = events.flatMap((event) => (event.kind === 'resource' ? [] : [event.kind]));
  const uris = events.flatMap((event) => (event.kind === 'resource' ? [event.uri] : []));
  const audience = openTo === 'all' ? { open: true } : { open: false, views: openTo };
  const body = { lists, uris, ...audience };
  return JSON.stringify(body).length <= MOST_CHARACTERS ? body : { everything: true, ...audience };
}

/** Another version of this program may have sent it: what is not known is left out. */
function changesIn({ everything, lists, uris }: JsonObject): readonly ForeignChange[] {
  if (everything === true) return [{ kind: 'everything' }];
  return [
    ...textsIn(lists).flatMap((kind) => (isListKind(kind) ? [{ kind }] : [])),
    ...textsIn(uris).map((uri) => ({ kind: 'resource' as const, uri })),
  ];
}

const openToIn = ({ open, views }: JsonObject): OpenTo => (open === true ? 'all' : textsIn(views));

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const isListKind = (kind: string): kind is 'tools' | 'prompts' | 'resources' =>
  kind === 'tools' || kind === 'prompts' || kind === 'resources';
