// The example through the built program, as hosts and people meet it: over MCP and on the command line.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { World } from '../../tests/support/world.ts';

const config = fileURLToPath(new URL('./repertoire.config.ts', import.meta.url));
const invoice = { customer_id: 'C-1001', lines: [{ text: 'Bread', quantity: 3, unit_cents: 250 }] };
const totals = { customer_id: 'C-1001', net_cents: 750, tax_cents: 150, total_cents: 900 };
const signing_key = 'correct-horse-battery-staple';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let world: World;
beforeEach(() => {
  world = new World({ apart: true });
});
afterEach(() => world.close());

const invoke = (name: string, input: object, ...args: readonly string[]) =>
  world.run('invoke', name, '--input', JSON.stringify(input), ...args);

const serve = (...args: readonly string[]) => serveFile(config, ...args);

async function serveFile(file: string, ...args: readonly string[]) {
  const client = await world.serve({ args: ['--config', file, ...args] });
  const call = async (name: string, input: object, meta: object = {}) =>
    (await client.request('tools/call', { name, arguments: input, _meta: meta })).result;
  return { client, call };
}

test('over MCP the skills are tools beside those for documents (X9)', async () => {
  const { client, call } = await serve();
  const listed = await client.request('tools/list');
  const tools = listed.result?.tools as readonly { readonly name: string; readonly outputSchema?: object }[];
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['list_skills', 'invoice_total', 'issue_invoice', 'match_payment']));
  expect(tools.find(({ name }) => name === 'invoice_total')?.outputSchema).toMatchObject({ type: 'object' });
  const correlation = '0123abcd-0000-4000-8000-0123456789ab';
  expect(await call('invoice_total', invoice, { 'repertoire/correlation_id': correlation })).toMatchObject({
    structuredContent: totals,
    _meta: {
      'repertoire/invocation_id': expect.stringMatching(UUID),
      'repertoire/correlation_id': correlation,
      'repertoire/duration_ms': expect.any(Number),
    },
  });
});

test('over MCP a failure has its code, its message and what to do (X9)', async () => {
  const { call } = await serve();
  const failed = await call('invoice_total', { ...invoice, customer_id: 'C-9999' });
  expect(failed).toMatchObject({ isError: true });
  expect(failed).not.toHaveProperty('structuredContent');
  const text = JSON.stringify(failed?.content);
  for (const part of ['NOT_FOUND', 'Resource not found: customer C-9999', 'Verify resource exists']) {
    expect(text).toContain(part);
  }
});

test('over MCP an agent gets what it is assigned to, and a worker skill its process (X5)', async () => {
  // A process begins for the call: on a busy machine that may take longer than the two seconds of the example.
  const patient = join(world.project, 'patient.config.ts');
  writeFileSync(patient, PATIENT_CONFIG);
  const billing = await serveFile(patient, '--agent', 'BillingAgent');
  const payment = { payment_cents: 500, open_invoices: [{ id: 'I-1', total_cents: 500 }] };
  expect(await billing.call('match_payment', payment)).toMatchObject({ structuredContent: { invoice_ids: ['I-1'] } });
  const other = await serve('--agent', 'TaskAgent');
  expect(JSON.stringify(await other.call('match_payment', payment))).toContain('UNAUTHORIZED');
});

test('on the command line the chain runs, and the log holds three invocations without the key (X6)', () => {
  const issued = invoke('issue_invoice', { ...invoice, signing_key }, '--config', config);
  expect(issued).toMatchObject({ code: 0 });
  expect(JSON.parse(issued.stdout)).toMatchObject({ ...totals, signature: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const log = world.run('log', '--json');
  const { invocations } = JSON.parse(log.stdout) as { invocations: readonly Record<string, unknown>[] };
  expect(invocations.map((each) => each.skill_name).sort()).toEqual(['invoice_total', 'issue_invoice', 'sign_invoice']);
  expect(new Set(invocations.map((each) => each.correlation_id)).size).toBe(1);
  expect(log.stdout).toContain('"[redacted]"');
  expect(issued.stdout + issued.stderr + log.stdout).not.toContain(signing_key);
});

test('on the command line a failure is one sentence and exit 1 (C)', () => {
  const failed = invoke('invoice_total', { ...invoice, customer_id: 'C-9999' }, '--config', config);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toMatch(/^NOT_FOUND: Resource not found: customer C-9999/);
});

test('a file that cannot be loaded is a sentence, and no server starts (C)', () => {
  const broken = join(world.project, 'repertoire.config.mjs');
  writeFileSync(broken, 'export default {\n  skills: = [],\n};\n');
  for (const command of [['mcp'], ['invoke', 'invoice_total']]) {
    const { code, stdout, stderr } = world.run(...command, '--config', 'repertoire.config.mjs');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`Cannot load ${broken}: line 2 has a syntax error: Unexpected token '='. Correct that line.\n`);
  }
});

test('a file is executed only when it was named (DESIGN 5)', async () => {
  writeFileSync(join(world.project, 'repertoire.config.mjs'), 'throw new Error("executed");');
  const client = await world.serve();
  expect(JSON.stringify(await client.request('tools/list'))).not.toContain('invoice_total');
  expect(client.stderr).not.toContain('executed');
});

test("a project's own file imports from the package: failures and secrets are known across copies (X4)", () => {
  const modules = join(world.project, 'node_modules');
  mkdirSync(modules);
  symlinkSync(resolve('.'), join(modules, 'repertoire'));
  symlinkSync(resolve('node_modules/zod'), join(modules, 'zod'));
  writeFileSync(join(world.project, 'repertoire.config.ts'), PROJECT_CONFIG);
  const failed = invoke('find_parcel', { code: 'P-1', pin: '4711-4712' }, '--config', 'repertoire.config.ts');
  expect(failed.stderr).toMatch(/^NOT_FOUND: Resource not found: parcel P-1/m);
  const log = world.run('log', '--json').stdout;
  expect(log).toContain('find_parcel');
  expect(failed.stdout + failed.stderr + log).not.toContain('4711-4712');
});

const PATIENT_CONFIG = `
import config from ${JSON.stringify(config)};

export default { ...config, skills: config.skills.map((skill) => ({ ...skill, timeoutSeconds: 90 })) };
`;

const PROJECT_CONFIG = `
import { defineConfig, defineSkill, failure, secret } from 'repertoire';
import { z } from 'zod';

const findParcel = defineSkill({
  name: 'find_parcel',
  description: 'Says where a parcel is.',
  category: 'execution',
  input: z.object({ code: z.string(), pin: secret(z.string()) }),
  output: z.object({ place: z.string() }),
  failureModes: ['NOT_FOUND'],
  run: ({ code }) => failure('NOT_FOUND', { resource: \`parcel \${code}\` }),
});

export default defineConfig({ skills: [findParcel] });
`;
