// The clients that came since this server started, and as whom: kept in memory, bounded, for the page that waits for one. With
// those that came to other replicas, as these tell it (share-clients.ts).
import { withoutCredentials } from '../text/credentials.ts';
import { toOneLine } from '../text/one-line.ts';
import { type Caller, callerKey } from './caller.ts';

/** A program that talks MCP, as it introduced itself. */
interface Client {
  readonly name: string;
  readonly version: string;
}

export interface SeenClient extends Client {
  readonly caller: Pick<Caller, 'kind' | 'name'>;
  /** Its last handshake, or its first request where it made none. */
  readonly connectedAt: Date;
  readonly lastSeenAt: Date;
  /** How many tools it was shown; absent: it has not asked yet. */
  readonly tools: number | undefined;
  /** The first document that it read since it connected. */
  readonly firstRead: { readonly skillName: string; readonly at: Date } | undefined;
}

export interface SeenClients {
  /** It introduced itself: what is known of an earlier connection is forgotten. */
  noteHandshake(caller: Caller, client: Client): void;
  noteRequest(caller: Caller, client: Client): void;
  noteTools(caller: Caller, client: Client, count: number): void;
  /** `reader`: as the log calls it, which for the operator is the name of the client. */
  noteRead(caller: Caller, reader: string, skillName: string): void;
  /** Another replica has seen it: what is newer there counts here, too. */
  adopt(client: SeenClient): void;
  /** Another agent has this name from now on. */
  forgetAgent(name: string): void;
  /** Newest connection first. */
  list(): readonly SeenClient[];
  /** Hears when one connects, lists its tools or reads its first document; answers how to stop. `isHere`: on this replica. */
  subscribe(listener: (client: SeenClient, isHere: boolean) => void): () => void;
}

export interface SeenClientsOptions {
  readonly now: () => Date;
  readonly most?: number;
  /** Of one caller: a client that calls itself something else each time does not push out those of others. */
  readonly mostOfCaller?: number;
}

type Entry = { -readonly [K in keyof SeenClient]: SeenClient[K] };

/** Longer names are cut before anything else is done with them. */
const MOST_READ = 256;

/** Without the client, as replicas tell each other: a person of another issuer is not told from an agent of that name. */
const keyOf = ({ kind, name }: SeenClient['caller']): string => callerKey({ kind, name });

export function createSeenClients({ now, most = 500, mostOfCaller = 20 }: SeenClientsOptions): SeenClients {
  const byCaller = new Map<string, Map<string, Entry>>();
  const listeners = new Set<(client: SeenClient, isHere: boolean) => void>();
  const tell = (entry: Entry, isHere = true) => {
    for (const listener of listeners) listener({ ...entry }, isHere);
  };
  const all = () => [...byCaller.values()].flatMap((clients) => [...clients.values()]);
  const keep = (callerId: string, name: string, entry: Entry) => {
    const clients = byCaller.get(callerId) ?? new Map<string, Entry>();
    byCaller.set(callerId, clients);
    clients.set(name.slice(0, MOST_READ), entry);
    if (clients.size > mostOfCaller) drop(byCaller, longestUnseen([...clients.values()]));
    const everyone = all();
    if (everyone.length > most) drop(byCaller, longestUnseen(everyone));
  };
  const connect = (caller: Caller, client: Client): Entry => {
    const entry = newEntry(caller, client, now());
    keep(keyOf(caller), client.name, entry);
    tell(entry);
    return entry;
  };
  const see = (caller: Caller, client: Client): Entry => {
    const known = byCaller.get(keyOf(caller))?.get(client.name.slice(0, MOST_READ));
    if (known === undefined) return connect(caller, client);
    known.lastSeenAt = now();
    return known;
  };
  return {
    noteHandshake: connect,
    noteRequest: see,
    noteTools: (caller, client, count) => {
      const entry = see(caller, client);
      if (entry.tools === count) return;
      entry.tools = count;
      tell(entry);
    },
    noteRead: (caller, reader, skillName) => {
      const own = [...(byCaller.get(keyOf(caller))?.values() ?? [])];
      const entry = newestSeen(caller.kind === 'operator' ? own.filter(({ name }) => name === reader) : own);
      if (entry === undefined || entry.firstRead !== undefined) return;
      entry.firstRead = { skillName, at: now() };
      tell(entry);
    },
    adopt: (client) => {
      const callerId = keyOf(client.caller);
      const known = byCaller.get(callerId)?.get(client.name);
      const merged = known === undefined ? client : merge(known, client);
      if (known !== undefined && isSame(known, merged)) {
        known.lastSeenAt = merged.lastSeenAt;
        return;
      }
      const entry = { ...merged };
      keep(callerId, client.name, entry);
      tell(entry, false);
    },
    forgetAgent: (name) => void byCaller.delete(keyOf({ kind: 'agent', name })),
    list: () => all().toSorted((a, b) => b.connectedAt.getTime() - a.connectedAt.getTime()),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Of two connections the later one; of one that is known to both, what either knows. */
function merge(known: SeenClient, other: SeenClient): SeenClient {
  const lastSeenAt = known.lastSeenAt > other.lastSeenAt ? known.lastSeenAt : other.lastSeenAt;
  if (known.connectedAt > other.connectedAt) return { ...known, lastSeenAt };
  if (known.connectedAt < other.connectedAt) return { ...other, lastSeenAt };
  const [first, second] = [known.firstRead, other.firstRead];
  const isOtherFirst = second !== undefined && (first === undefined || second.at < first.at);
  return { ...known, lastSeenAt, tools: other.tools ?? known.tools, firstRead: isOtherFirst ? second : first };
}

const isSame = (one: SeenClient, other: SeenClient): boolean =>
  one.connectedAt.getTime() === other.connectedAt.getTime() &&
  one.version === other.version &&
  one.tools === other.tools &&
  one.firstRead?.skillName === other.firstRead?.skillName;

const newEntry = ({ kind, name }: Caller, client: Client, at: Date): Entry => ({
  caller: { kind, name },
  name: clean(client.name, 128) || 'unknown',
  version: clean(client.version, 64),
  connectedAt: at,
  lastSeenAt: at,
  tools: undefined,
  firstRead: undefined,
});

/** Some put their token where the name belongs. */
const clean = (text: string, most: number): string => toOneLine(withoutCredentials(text.slice(0, MOST_READ)), most);

/** Its request was noted just before it read. */
const newestSeen = (entries: readonly Entry[]): Entry | undefined =>
  entries.toSorted((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime())[0];

const longestUnseen = (entries: readonly Entry[]): Entry | undefined =>
  entries.toSorted((a, b) => a.lastSeenAt.getTime() - b.lastSeenAt.getTime())[0];

function drop(byCaller: Map<string, Map<string, Entry>>, gone: Entry | undefined): void {
  for (const [key, clients] of byCaller) {
    for (const [name, entry] of clients) if (entry === gone) clients.delete(name);
    if (clients.size === 0) byCaller.delete(key);
  }
}
