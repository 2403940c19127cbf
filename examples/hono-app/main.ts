// Starts the shop: `npx tsx main.ts`. Port 3000, or what PORT says.
import { openShop } from './open-shop.ts';

const shop = await openShop(Number(process.env.PORT ?? 3000));
process.stdout.write(`The shop is open at ${shop.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shop.close());
