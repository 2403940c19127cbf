// Opens the port, or says in one sentence why not and what to do instead; and stops cleanly (F11).
import type { Server } from 'node:net';
import { sleep } from '../../../async/sleep.ts';
import { within } from '../../../async/within.ts';
import { codeOf } from '../../../values/error-code.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import type { Connections } from './connections.ts';

/** The port that was opened. */
export function listen(server: Server, host: string, port: number): Promise<Result<number, string>> {
  return new Promise((resolve) => {
    const refused = (error: unknown) => resolve(fail(sentenceFor(error, host, port)));
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

const NO_ADDRESS = 'this machine has no such address; give --host one that it has, such as 127.0.0.1';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the port is in use; stop the other program or choose another port with --port'],
  ['EACCES', 'this user may not open that port; choose one above 1023 with --port'],
  ['EADDRNOTAVAIL', NO_ADDRESS],
  ['ENOTFOUND', NO_ADDRESS],
  ['EAI_AGAIN', NO_ADDRESS],
  ['EAFNOSUPPORT', NO_ADDRESS],
  ['EINVAL', NO_ADDRESS],
  ['ERR_SOCKET_BAD_PORT', 'there is no such port; give --port a number from 0 to 65535'],
]);

function sentenceFor(error: unknown, host: string, port: number): string {
  const code = codeOf(error) ?? 'unknown';
  const reason = REASONS.get(code) ?? `the system refuses it (${code}); choose another --host or --port`;
  return `Cannot listen on ${hostInUrl(host)}:${port}: ${reason}`;
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
