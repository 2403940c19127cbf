// Opens the port, or says in one sentence why not and what to do instead; and stops cleanly (F11).
import type { Server } from 'node:net';
import { sleep } from '../../../async/sleep.ts';
import { within } from '../../../async/within.ts';
import { codeOf } from '../../../values/error-code.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import type { Connections } from './connections.ts';

/** What the operator calls the two: options of a command, or of a function. */
export interface ListenWords {
  readonly host: string;
  readonly port: string;
}

const OF_PROGRAMS: ListenWords = { host: 'the option "host"', port: 'the option "port"' };

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly listenWords?: ListenWords | undefined;
}

/** The port that was opened. */
export function listen(server: Server, options: ListenOptions): Promise<Result<number, string>> {
  const { host, port } = options;
  return new Promise((resolve) => {
    const refused = (error: unknown) => resolve(fail(sentenceFor(error, options)));
    server.once('error', refused);
    try {
      server.listen({ host, port }, () => {
        server.off('error', refused);
        const address = server.address();
        resolve(ok(typeof address === 'object' && address !== null ? address.port : port));
      });
    } catch (error) {
      // Node throws for a port that is no port.
      refused(error);
    }
  });
}

type Reason = (words: ListenWords) => string;

const noAddress: Reason = ({ host }) =>
  `this machine has no such address; give ${host} one that it has, such as 127.0.0.1`;

const REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['EADDRINUSE', ({ port }) => `the port is in use; stop the other program or choose another port with ${port}`],
  ['EACCES', ({ port }) => `this user may not open that port; choose one above 1023 with ${port}`],
  ['EADDRNOTAVAIL', noAddress],
  ['ENOTFOUND', noAddress],
  ['EAI_AGAIN', noAddress],
  ['EAFNOSUPPORT', noAddress],
  ['EINVAL', noAddress],
  [
    'EMFILE',
    () => 'this process may open no more files; raise the limit with "ulimit -n 1024" in the shell that starts it',
  ],
  ['ERR_SOCKET_BAD_PORT', ({ port }) => `there is no such port; give ${port} a number from 0 to 65535`],
]);

function sentenceFor(error: unknown, { host, port, listenWords = OF_PROGRAMS }: ListenOptions): string {
  const code = codeOf(error) ?? 'unknown';
  const unknown: Reason = (words) => `the system refuses it (${code}); change ${words.host} or ${words.port}`;
  return `Cannot listen on ${hostInUrl(host)}:${port}: ${(REASONS.get(code) ?? unknown)(listenWords)}`;
}

/** Where a browser on this machine finds it. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${hostInUrl(reachable)}:${port}`;
}

const hostInUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

export interface Stopping {
  readonly server: Server;
  readonly connections: Connections;
  /** Ends the long streams, which would never end by themselves. */
  readonly closeStreams: () => Promise<void>;
  readonly graceMs: number;
}

/** No new connections; idle ones are closed at once, running requests may end, and all of it takes `graceMs` at most. */
export async function stopServer({ server, connections, closeStreams, graceMs }: Stopping): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const streams = closeStreams();
  connections.closeQuiet();
  try {
    await within(allFinished(streams, connections), graceMs, () => undefined);
  } finally {
    connections.closeAll();
    await closed;
  }
}

/** Between two looks at which connections have finished. */
const LOOK_MS = 20;

async function allFinished(streams: Promise<void>, connections: Connections): Promise<void> {
  await streams;
  while (connections.size > 0) {
    await sleep(LOOK_MS);
    connections.closeQuiet();
  }
}
