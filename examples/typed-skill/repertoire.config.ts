// What `--config` names: the skills of this folder, the agent they are for, and how often it may call.
import { customerBook } from './customers.ts';
import { invoiceTotal } from './invoice-total.ts';
import { issueInvoice } from './issue-invoice.ts';
import { matchPayment } from './match-payment.ts';
import { defineConfig } from './repertoire.ts';
import { signInvoice } from './sign-invoice.ts';

export default defineConfig({
  skills: [invoiceTotal(customerBook), signInvoice, issueInvoice, matchPayment],
  agents: ['BillingAgent'],
  limits: { callerPerMinute: 120 },
});
