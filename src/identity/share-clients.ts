// Tells other replicas which clients came to this one, and takes up what they tell: a page that waits for a client need not be
// on the replica that the client happened to reach (N3).
import type { Bus } from '../async/bus.ts';
import type { Peers } from '../async/peers.ts';
import { isRecord } from '../values/is-record.ts';
import type { Caller } from './caller.ts';
import type { SeenClient, SeenClients } from './seen-clients.ts';

const TOPIC = 'clients';
/** Several that come at once are one message. */
const BATCH_MS = 250;
const AT_ONCE = 50;

/** Answers how to stop. Nothing is sent where there is no other replica. */
export function shareClients(
  clients: SeenClients,
  { bus, peers }: { readonly bus: Bus; readonly peers: Peers },
): () => void {
  /** By what makes one client: the newest state of it. */
  let waiting = new Map<string, SeenClient>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const told = [...waiting.values()];
    waiting = new Map();
    for (let from = 0; from < told.length; from += AT_ONCE) {
      bus.publish(TOPIC, { clients: told.slice(from, from + AT_ONCE) });
    }
  };
  const tell = (client: SeenClient) => {
    waiting.set(`${client.caller.kind} ${client.caller.name} ${client.name}`, client);
    timer ??= setTimeout(flush, BATCH_MS).unref();
  };
  const tellAll = () => {
    if (peers.has()) for (const client of clients.list()) tell(client);
  };
  peers.onNewcomer(tellAll);
  peers.onFirst(tellAll);
  const stops = [
    clients.subscribe((client, isHere) => {
      if (isHere && peers.has()) tell(client);
    }),
    bus.subscribe(TOPIC, ({ clients: told }, isOwn) => {
      if (isOwn || !Array.isArray(told)) return;
      for (const client of told.map(parseClient)) if (client !== undefined) clients.adopt(client);
    }),
    bus.onGap(tellAll),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

const KINDS: readonly unknown[] = ['operator', 'agent', 'user'] satisfies readonly Caller['kind'][];

/** As JSON has written it. Undefined: another version did, in another form. */
function parseClient(value: unknown): SeenClient | undefined {
  if (!isRecord(value) || !isRecord(value.caller)) return undefined;
  const { caller, name, version, tools, firstRead } = value;
  const [connectedAt, lastSeenAt] = [dateOf(value.connectedAt), dateOf(value.lastSeenAt)];
  if (!KINDS.includes(caller.kind) || typeof caller.name !== 'string') return undefined;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  if (connectedAt === undefined || lastSeenAt === undefined) return undefined;
  return {
    caller: { kind: caller.kind as Caller['kind'], name: caller.name },
    name,
    version,
    connectedAt,
    lastSeenAt,
    tools: typeof tools === 'number' ? tools : undefined,
    firstRead: parseRead(firstRead),
  };
}

function parseRead(value: unknown): SeenClient['firstRead'] {
  const at = isRecord(value) ? dateOf(value.at) : undefined;
  return isRecord(value) && typeof value.skillName === 'string' && at !== undefined
    ? { skillName: value.skillName, at }
    : undefined;
}

function dateOf(value: unknown): Date | undefined {
  const date = typeof value === 'string' ? new Date(value) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}
