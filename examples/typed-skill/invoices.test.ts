// The example's skills in a runtime of their own, without a program around them.
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { agentCaller } from '../../src/identity/caller.ts';
import type { InvocationEvent } from '../../src/skills/record/invocation-events.ts';
import { createRuntime } from '../../src/skills/run/runtime.ts';
import config from './repertoire.config.ts';

const { skills = [], agents = [] } = config;
const runtime = createRuntime({ skills, agents });
afterAll(() => runtime.close());

const caller = agentCaller('BillingAgent');
const invoke = (name: string, input: object) => runtime.invoke({ name, input, caller });

const invoice = { customer_id: 'C-1001', lines: [{ text: 'Bread', quantity: 3, unit_cents: 250 }] };
const totals = { customer_id: 'C-1001', net_cents: 750, tax_cents: 150, total_cents: 900 };
const signing_key = 'correct-horse-battery-staple';

test('every definition is accepted (X1)', () => {
  expect(runtime.problems).toEqual([]);
  expect(runtime.skills.map(({ name }) => name)).toEqual([
    'invoice_total',
    'sign_invoice',
    'issue_invoice',
    'match_payment',
  ]);
});

describe('invoice_total', () => {
  test('adds up lines and tax (X3)', async () => {
    expect(await invoke('invoice_total', invoice)).toMatchObject({ success: true, outputPayload: totals });
  });

  test('says that a customer is not there (X4)', async () => {
    expect(await invoke('invoice_total', { ...invoice, customer_id: 'C-9999' })).toMatchObject({
      failure: { code: 'NOT_FOUND', message: 'Resource not found: customer C-9999' },
    });
  });

  test('names everything that is wrong with the input at once (X5)', async () => {
    const answer = await invoke('invoice_total', { customer_id: '1', lines: [{ text: '', quantity: 0 }], vat: 20 });
    expect(answer).toMatchObject({ success: false, failure: { code: 'VALIDATION_ERROR' } });
    const said = JSON.stringify(answer);
    for (const field of ['customer_id', 'text', 'quantity', 'unit_cents', 'vat']) expect(said).toContain(field);
  });

  test('is refused to agents that it was not assigned to (X5)', async () => {
    const answer = await runtime.invoke({ name: 'invoice_total', input: invoice, caller: agentCaller('TaskAgent') });
    expect(answer).toMatchObject({ failure: { code: 'UNAUTHORIZED' } });
  });
});

describe('issue_invoice', () => {
  async function eventsOf(input: object) {
    const events: InvocationEvent[] = [];
    const stop = runtime.subscribe((event) => events.push(event));
    const answer = await invoke('issue_invoice', input);
    stop();
    return { answer, events };
  }

  test('runs both steps under one correlation id and hides the key everywhere (X6)', async () => {
    const { answer, events } = await eventsOf({ ...invoice, signing_key });
    const signature = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(answer).toMatchObject({ success: true, outputPayload: { ...totals, signature } });
    const ended = events.flatMap((event) => (event.type === 'end' ? [event.invocation] : []));
    expect(ended.map(({ skillName }) => skillName)).toEqual(['invoice_total', 'sign_invoice', 'issue_invoice']);
    expect(ended.map(({ correlationId }) => correlationId)).toEqual(Array(3).fill(answer.correlationId));
    expect(JSON.stringify(events)).toContain('"signing_key":"[redacted]"');
    expect(JSON.stringify(events)).not.toContain(signing_key);
  });

  test('stops at the step that failed (X6)', async () => {
    const { answer, events } = await eventsOf({ ...invoice, customer_id: 'C-9999', signing_key });
    expect(answer).toMatchObject({ failure: { code: 'NOT_FOUND', message: 'Resource not found: customer C-9999' } });
    expect(events.some((event) => event.type === 'end' && event.invocation.skillName === 'sign_invoice')).toBe(false);
  });
});

describe('match_payment', () => {
  const open = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `I-${index}`, total_cents: 200 + 2 * index }));

  test('finds the invoices that a payment adds up to', async () => {
    // A thread begins for each call: on a busy machine that may take longer than the two seconds of the example.
    const patient = createRuntime({ skills: skills.map((skill) => ({ ...skill, timeoutSeconds: 90 })), agents });
    onTestFinished(() => patient.close());
    const match = (input: object) => patient.invoke({ name: 'match_payment', input, caller });
    const found = await match({ payment_cents: 406, open_invoices: open(4) });
    expect(found).toMatchObject({ success: true, outputPayload: { matched: true, invoice_ids: ['I-0', 'I-3'] } });
    const none = await match({ payment_cents: 601, open_invoices: open(4) });
    expect(none).toMatchObject({ success: true, outputPayload: { matched: false, invoice_ids: [] } });
  });

  test('is ended at its limit when there is too much to try (X5)', async () => {
    // Even amounts never add up to an odd one: every choice is tried.
    const endless = { payment_cents: 8_001, open_invoices: open(60) };
    const answer = await invoke('match_payment', endless);
    expect(answer).toMatchObject({ failure: { code: 'TIMEOUT', message: 'Operation timed out after 2s' } });
  });
});
