// `charge_order`: a durable skill. It may run several times; the order is charged once, because the provider gets the same key
// each time.
import { z } from 'zod';
import { defineSkill, failure } from './repertoire.ts';

const order = z.object({
  order_id: z.string().min(1).max(64).describe('Of the shop: one order is charged once'),
  cents: z.number().int().min(1).max(10_000_000),
});

const receipt = z.object({ receipt: z.string() });

/** `url`: of the provider. */
export const chargeOrder = (url: string) =>
  defineSkill({
    name: 'charge_order',
    description: 'Charges the card of an order, once, and gives the receipt.',
    category: 'execution',
    input: order,
    output: receipt,
    failureModes: ['EXTERNAL_SERVICE_ERROR'],
    timeoutSeconds: 60,
    // True only because of the key below: to ask twice charges once.
    durable: { idempotent: true, attempts: 20, backoffSeconds: 1 },
    async run({ order_id, cents }, { signal, progress }) {
      progress(0, 1, `Charging ${order_id}`);
      const answer = await fetch(url, {
        method: 'POST',
        // From the input: the same in each attempt. A key that is made here would be another one after a crash.
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `order-${order_id}` },
        body: JSON.stringify({ order_id, cents }),
        signal,
      }).catch(() => undefined);
      if (answer === undefined || !answer.ok)
        return failure('EXTERNAL_SERVICE_ERROR', { service: 'the payment provider' });
      return receipt.parse(await answer.json());
    },
  });
