// `issue_invoice`: the two others as one. Each step is an invocation of its own in the log, under one correlation id.
import { z } from 'zod';
import { customerId, invoiceLines, invoiceTotals } from './invoice-total.ts';
import { chain, defineSkill, failure } from './repertoire.ts';
import { signingKey } from './sign-invoice.ts';

const issued = invoiceTotals.extend({ signature: z.string() });

export const issueInvoice = defineSkill({
  name: 'issue_invoice',
  description: 'Adds up an invoice and signs the totals, in one call.',
  category: 'orchestration',
  assignedTo: ['BillingAgent'],
  input: z.object({ customer_id: customerId, lines: invoiceLines, signing_key: signingKey }),
  output: issued,
  failureModes: ['NOT_FOUND'],
  timeoutSeconds: 15,
  async run({ signing_key, ...invoice }, { invoke, progress }) {
    progress(0, 2, 'Adding up');
    const made = await chain(
      [
        { skill: 'invoice_total', input: invoice },
        {
          skill: 'sign_invoice',
          input: (totals) => {
            progress(1, 2, 'Signing');
            return { ...totals, signing_key };
          },
        },
      ],
      invoke,
    );
    // The output has passed the check of `sign_invoice`, and passes ours again.
    if (made.success) return made.output as z.input<typeof issued>;
    const { step, skill, failure: cause } = made.failed;
    if (cause.code === 'NOT_FOUND') return failure('NOT_FOUND', { resource: `customer ${invoice.customer_id}`, step });
    return failure('INTERNAL_ERROR', { step, skill, cause: cause.code });
  },
});
