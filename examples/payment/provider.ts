// A stand-in for a payment provider: it charges once for each `Idempotency-Key`, and counts. It lives in its own process or
// test, so it remembers when the server dies.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Provider {
  readonly url: string;
  /** How often each order was charged: money that moved. */
  readonly charges: ReadonlyMap<string, number>;
  /** How often a charge was asked for, again or not. */
  readonly requests: number;
  close(): Promise<void>;
}

interface Charge {
  readonly order_id: string;
  readonly cents: number;
}

/** `answerAfterMs`: how long the money has moved before the caller is told, which is when a crash hurts. */
export async function startProvider({ port = 0, answerAfterMs = 0 } = {}): Promise<Provider> {
  const charges = new Map<string, number>();
  const receipts = new Map<string, string>();
  let requests = 0;
  const charge = async (request: IncomingMessage, response: ServerResponse) => {
    const { order_id } = JSON.parse(await readAll(request)) as Charge; // what the skill sends
    const key = request.headers['idempotency-key'];
    requests += 1;
    const known = typeof key === 'string' ? receipts.get(key) : undefined;
    const receipt = known ?? `receipt-${receipts.size + 1}`;
    if (known === undefined) charges.set(order_id, (charges.get(order_id) ?? 0) + 1);
    if (typeof key === 'string') receipts.set(key, receipt);
    setTimeout(() => {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ receipt }));
    }, answerAfterMs);
  };
  const server = createServer((request, response) => {
    charge(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/charges`, // it listens on TCP
    charges,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
