// Puts the shop together and lets it listen on this machine alone.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { createApp } from './app.ts';
import { createMcp } from './mcp.ts';
import { createRepertoire, createRuntime, openCatalog } from './repertoire.ts';
import { correctStock, countStock, createStock } from './stock.ts';

export interface Shop {
  readonly url: string;
  close(): Promise<void>;
}

/** From the module, not from the working directory: that depends on how the server is started. */
const SKILLS = fileURLToPath(new URL('./skills', import.meta.url));

export async function openShop(port: number, skills: string = SKILLS): Promise<Shop> {
  const stock = createStock();
  const catalog = await openCatalog({ roots: [skills] });
  const runtime = createRuntime({ skills: [countStock(stock), correctStock(stock)], agents: ['StockKeeper'] });
  for (const { message, fix } of runtime.problems) process.stderr.write(`${message}. ${fix}\n`);
  const mcp = createMcp({ catalog, runtime, stock });
  const app = createApp({ repertoire: createRepertoire(catalog, { runtime }), stock, mcp });
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port });
  await once(server, 'listening');
  return {
    // A server that listens on a port has an address of this kind.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await mcp.close();
      await new Promise((done) => server.close(done));
      await runtime.close();
      catalog.close();
    },
  };
}
