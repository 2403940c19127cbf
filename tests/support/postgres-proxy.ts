// A way to PostgreSQL that can be closed, or made to swallow what listeners are told, as a pooler or a dead network does.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface PostgresProxy {
  readonly url: string;
  /** Connections that listen are told nothing more, and stay open. */
  silence(isSilent: boolean): void;
  /** Connections stay, and nothing passes: a database that hangs. */
  hang(isHanging: boolean): void;
  /** What is asked waits on the way, and arrives when that is over, also when the one who asked has left meanwhile. */
  hold(isHolding: boolean): void;
  /** Cuts every connection and refuses new ones, or takes them again. */
  open(isOpen: boolean): void;
  /** PostgreSQL says how bad an error is in another language, as one does that was set up in it. */
  translate(): void;
  /** How many there are now. */
  connections(): number;
}

export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let [isSilent, isOpen, isHanging, isTranslating, isHolding] = [false, true, false, false, false];
  const held: (() => void)[] = [];
  const server = createServer((client) => {
    if (!isOpen) return client.destroy();
    const database = connect(Number(target.port), target.hostname);
    let isListening = false;
    client.on('data', (bytes) => {
      if (bytes.includes('LISTEN ')) isListening = true;
      if (isHolding) held.push(() => database.write(bytes));
      else if (!isHanging) database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (!(isSilent && isListening) && !isHanging) client.write(isTranslating ? translated(bytes) : bytes);
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        if (isHolding) held.push(() => other.end());
        else other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    silence: (silent) => {
      isSilent = silent;
    },
    hang: (hanging) => {
      isHanging = hanging;
      if (!hanging) cut();
    },
    hold: (holding) => {
      isHolding = holding;
      if (!holding) for (const pass of held.splice(0)) pass();
    },
    open: (open) => {
      isOpen = open;
      if (!open) cut();
    },
    translate: () => {
      isTranslating = true;
    },
    // One socket to each side.
    connections: () => sockets.size / 2,
  };
}

/** Of the same length. */
const translated = (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replaceAll('SERROR\0', 'SERRUR\0'), 'latin1');
