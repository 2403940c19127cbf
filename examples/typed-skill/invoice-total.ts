// `invoice_total`: adds up the lines of an invoice with the customer's own tax.
import { z } from 'zod';
import type { Customers } from './customers.ts';
import { defineSkill, failure } from './repertoire.ts';

export const customerId = z.string().regex(/^C-\d{4}$/);
const cents = z.number().int().min(0).max(100_000_000);

export const invoiceLines = z
  .array(
    z.object({ text: z.string().min(1).max(200), quantity: z.number().int().min(1).max(10_000), unit_cents: cents }),
  )
  .min(1)
  .max(200);

export const invoiceTotals = z.object({
  customer_id: z.string(),
  net_cents: z.number().int(),
  tax_cents: z.number().int(),
  total_cents: z.number().int(),
});

/** What it depends on is handed in, so that a test can hand in something else. */
export const invoiceTotal = (customers: Customers) =>
  defineSkill({
    name: 'invoice_total',
    description: 'Adds up the lines of an invoice and the tax of the customer. Money is in whole cents.',
    category: 'execution',
    assignedTo: ['BillingAgent'],
    input: z.object({ customer_id: customerId, lines: invoiceLines }),
    output: invoiceTotals,
    successCriteria: ['total_cents is net_cents and tax_cents together'],
    failureModes: ['NOT_FOUND'],
    timeoutSeconds: 5,
    async run({ customer_id, lines }, { signal }) {
      const customer = await customers.find(customer_id, signal);
      if (customer === undefined) return failure('NOT_FOUND', { resource: `customer ${customer_id}` });
      const net = lines.reduce((sum, { quantity, unit_cents }) => sum + quantity * unit_cents, 0);
      const tax = Math.round((net * customer.taxPercent) / 100);
      return { customer_id, net_cents: net, tax_cents: tax, total_cents: net + tax };
    },
  });
