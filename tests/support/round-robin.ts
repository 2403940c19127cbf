// A load balancer without stickiness: each request goes to the next server, streams both ways, and what cannot be reached is
// passed over. A request that was cut off is not sent again.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface RoundRobin {
  readonly url: string;
  close(): Promise<void>;
}

/** `urls`: of the servers, as `http://127.0.0.1:PORT`. `at`: its own port; any that is free when absent. */
export async function startRoundRobin(urls: readonly string[], at = 0): Promise<RoundRobin> {
  const ports = urls.map((url) => Number(new URL(url).port));
  let next = 0;
  const server = createServer((incoming, response) => {
    next += 1;
    const order = ports.map((_, index) => ports[(next + index) % ports.length] ?? 0);
    void reach(order).then((socket) => {
      if (socket === undefined) response.writeHead(502).end();
      else pass(incoming, response, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP, so it has a port.
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A connection to the first that takes one. */
async function reach([first, ...others]: readonly number[]): Promise<Socket | undefined> {
  if (first === undefined) return undefined;
  const socket = connect(first, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  return isOpen ? socket : reach(others);
}

/** Whichever side breaks off, the other is cut. The name by which the client called stays: servers check it. */
function pass(incoming: IncomingMessage, response: ServerResponse, socket: Socket): void {
  const { method = 'GET', url: path = '/' } = incoming;
  const headers = { ...incoming.headers, connection: 'close' };
  const outgoing = request({ createConnection: () => socket, method, path, headers });
  outgoing.on('error', () => response.destroy());
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' });
    response.flushHeaders();
    answer.pipe(response).on('error', () => undefined);
    answer.on('error', () => response.destroy());
  });
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
