// `sign_invoice`: a signature over the totals, made with a key that no log ever shows.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { invoiceTotals } from './invoice-total.ts';
import { defineSkill, secret } from './repertoire.ts';

export const signingKey = secret(z.string().min(16).max(200));

export const signInvoice = defineSkill({
  name: 'sign_invoice',
  description: 'Signs the totals of an invoice (HMAC-SHA256), so that others can tell whether they were changed.',
  category: 'execution',
  assignedTo: ['BillingAgent'],
  input: invoiceTotals.extend({ signing_key: signingKey }),
  output: invoiceTotals.extend({ signature: z.string().regex(/^[0-9a-f]{64}$/) }),
  timeoutSeconds: 5,
  run: ({ signing_key, ...totals }) => ({ ...totals, signature: signatureOf(totals, signing_key) }),
});

function signatureOf(totals: z.output<typeof invoiceTotals>, key: string): string {
  const { customer_id, net_cents, tax_cents, total_cents } = totals;
  return createHmac('sha256', key).update([customer_id, net_cents, tax_cents, total_cents].join('\n')).digest('hex');
}
