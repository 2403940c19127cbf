// `match_payment`: a search that may take for ever, so it runs in a process that can be ended.
import { z } from 'zod';
import { defineSkill } from './repertoire.ts';

const cents = z.number().int().min(1).max(100_000_000);

export const matchPayment = defineSkill({
  name: 'match_payment',
  description: 'Finds the open invoices that a payment adds up to exactly. With many invoices it may time out.',
  category: 'execution',
  assignedTo: ['BillingAgent'],
  input: z.object({
    payment_cents: cents,
    open_invoices: z.array(z.object({ id: z.string().min(1).max(64), total_cents: cents })).max(60),
  }),
  output: z.object({ matched: z.boolean(), invoice_ids: z.array(z.string()) }),
  timeoutSeconds: 2,
  limits: { atOnce: 2 },
  isolation: 'worker',
  module: new URL('./match-payment-worker.mjs', import.meta.url),
});
