// Unique secrets in every marked field appear nowhere: not in the log, results, lines, events, errors (THREATS: secrets in the log).
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineSkill } from '../define/define-skill.ts';
import { failure } from '../define/failure.ts';
import { secret } from '../define/secret.ts';
import { createMemoryLog } from '../fixtures/memory-log.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { createRuntime } from './runtime.ts';

let planted = 0;
const canary = () => `canary-${++planted}-${Math.random().toString(36).slice(2)}`;

const input = z.object({
  mode: z.string(),
  password: secret(z.string()),
  nested: z.object({
    list: z.array(z.object({ key: secret(z.string()) })),
    pair: z.tuple([z.string(), secret(z.string())]),
  }),
  either: z.union([z.object({ pin: secret(z.string()) }), z.object({ open: z.string() })]),
  map: z.record(z.string(), secret(z.string())),
  whole: secret(z.object({ a: z.string(), b: z.array(z.string()) })),
});

const plant = (mode: string) => ({
  mode,
  password: canary(),
  nested: { list: [{ key: canary() }, { key: canary() }], pair: ['open', canary()] },
  either: { pin: canary() },
  map: { a: canary(), b: canary() },
  whole: { a: canary(), b: [canary()] },
});

const canariesIn = (value: unknown): readonly string[] => JSON.stringify(value).match(/canary-\d+-\w+/g) ?? [];

/** Uses its secrets as carelessly as it can. */
const careless = defineSkill({
  name: 'careless',
  description: 'Leaks wherever it can.',
  category: 'authentication',
  input,
  output: z.object({ token: secret(z.string()), note: z.string() }),
  failureModes: ['NOT_FOUND', 'EXTERNAL_SERVICE_ERROR'],
  run: async (given, { log, progress, invoke }) => {
    const everything = canariesIn(given).join(' ');
    log(`used ${everything}`, { deep: [{ everything }], [everything]: 1 });
    progress(1, 2, everything);
    if (given.mode === 'throw') throw new Error(`cannot use ${everything}`, { cause: new Error(everything) });
    if (given.mode === 'fail') return failure('NOT_FOUND', { resource: everything, list: [everything] });
    if (given.mode === 'wrong') return { token: 5, note: everything } as never;
    if (given.mode === 'step') return { token: 'none', note: JSON.stringify(await invoke('careless', plant('ok'))) };
    return { token: canary(), note: everything };
  },
});

test.each(['ok', 'throw', 'fail', 'wrong', 'invalid', 'unknown', 'step'])(
  'no secret leaves a call that goes: %s',
  async (mode) => {
    const lines: unknown[] = [];
    const events: unknown[] = [];
    const progress: unknown[] = [];
    const invocationLog = createMemoryLog();
    const runtime = createRuntime({ skills: [careless], invocationLog, log: (line) => lines.push(line) });
    expect(runtime.problems).toEqual([]);
    runtime.subscribe((event) => events.push(event));
    const given = {
      ...plant(mode),
      ...(mode === 'invalid' ? { either: { pin: 5, open: [canary()] } } : {}),
      ...(mode === 'unknown' ? { pasword: canary() } : {}),
    };
    const before = planted;
    const answer = await runtime.invoke({ name: 'careless', input: given, onProgress: (each) => progress.push(each) });
    expect(canariesIn(given).length).toBeGreaterThanOrEqual(8);
    const seen = { begun: invocationLog.begun, ended: invocationLog.ended, lines, events, progress };
    expect(canariesIn(seen)).toEqual([]);
    expect(invocationLog.ended.length).toBeGreaterThan(0);
    // The caller of a success gets the output as it is; a failure tells nothing to anybody.
    if (!answer.success) expect(canariesIn(answer)).toEqual([]);
    if (mode === 'ok') expect(answer).toMatchObject({ outputPayload: { token: expect.stringMatching(/^canary/) } });
    if (mode === 'ok') expect(planted).toBe(before + 1);
  },
);

test('a custom message that shows the value shows no secret', async () => {
  const skill = {
    ...careless,
    input: z.object({
      password: secret(z.string().refine(() => false, { error: (issue) => `bad: ${String(issue.input)}` })),
    }),
  };
  const runtime = createRuntime({ skills: [skill as never] });
  const answer = await runtime.invoke({ name: 'careless', input: { password: canary() } });
  expect(answer).toMatchObject({
    failure: { code: 'VALIDATION_ERROR', message: 'Input validation failed: password: bad: [redacted]' },
  });
  expect(canariesIn(answer)).toEqual([]);
});

test('a secret that a skill hands to a step is one of its own calls, too, also where nothing is recorded', async () => {
  const inner = defineSkill({
    name: 'inner',
    description: 'Takes a secret.',
    category: 'authentication',
    input: z.object({ pin: secret(z.string().trim()) }),
    output: z.object({}),
    run: () => ({}),
  });
  const hidden = canary();
  const outer = defineSkill({
    name: 'outer',
    description: 'Makes a secret, and says it.',
    category: 'authentication',
    input: z.object({}),
    output: z.object({}),
    run: async (_input, { invoke }) => {
      await invoke('inner', { pin: hidden });
      return failure('UNAUTHORIZED', { reason: `not with ${hidden}` });
    },
  });
  const answer = await createRuntime({ skills: [inner, outer] }).invoke({ name: 'outer' });
  expect(answer).toMatchObject({ failure: { message: 'Access denied: not with [redacted]' } });
});

test('a token that nobody marked is caught by its shape', async () => {
  const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
  const skill = defineSkill({
    name: 'plain',
    description: 'Marks nothing.',
    category: 'execution',
    input: z.object({ note: z.string() }),
    output: z.object({ note: z.string() }),
    run: ({ note }, { log }) => {
      log(note);
      return { note };
    },
  });
  const lines: unknown[] = [];
  const invocationLog = createMemoryLog();
  const runtime = createRuntime({ skills: [skill], invocationLog, log: (line) => lines.push(line) });
  expect(await runtime.invoke({ name: 'plain', input: { note: token } })).toMatchObject({ success: true });
  expect(JSON.stringify([lines, invocationLog.begun, invocationLog.ended])).not.toContain('A1b2C3');
});

test('a secret that the check trims, lowers or fills in is one, too, and so are the names in a secret record', async () => {
  const lines: unknown[] = [];
  const invocationLog = createMemoryLog();
  const changed = defineSkill({
    name: 'changed',
    description: 'Fails with what it was given.',
    category: 'authentication',
    input: z.object({
      trimmed: secret(z.string().trim()),
      lower: secret(z.string().toLowerCase()),
      usual: secret(z.string()).default('canary-0-default'),
      names: secret(z.record(z.string(), z.number())),
    }),
    output: z.object({}),
    run: (given) => failure('UNAUTHORIZED', { reason: JSON.stringify(given) }),
  });
  const runtime = createRuntime({ skills: [changed], invocationLog, log: (line) => lines.push(line) });
  const given = { trimmed: `  ${canary()} `, lower: canary().toUpperCase(), names: { [canary()]: 1 } };
  const answer = await runtime.invoke({ name: 'changed', input: given });
  expect(answer).toMatchObject({ failure: { code: 'UNAUTHORIZED' } });
  const { invocations } = await invocationLog.list({ limit: 10 });
  expect(JSON.stringify([answer, lines, invocations]).toLowerCase()).not.toContain('canary');
});

test.each([
  ['a known secret in an error', 'correct horse battery staple', (text: string) => new Error(text)],
  ['a token by its shape', `ghp_${'a1B2c3D4e5'.repeat(4)}`, (text: string) => new Error(text)],
  ['a thrown text', 'correct horse battery staple', (text: string) => text],
])('%s that the cut goes through is no secret any more, but no part of it is shown', async (_what, hidden, thrown) => {
  const lines: RuntimeEvent[] = [];
  const skill = defineSkill({
    name: 'wordy',
    description: 'Says too much.',
    category: 'execution',
    input: z.object({ pad: z.number(), hidden: secret(z.string()) }),
    output: z.object({}),
    run: ({ pad }) => {
      throw thrown('.'.repeat(pad) + hidden);
    },
  });
  const runtime = createRuntime({ skills: [skill], log: (line) => lines.push(line) });
  // Error texts are cut at 4,000 characters: the cut goes through each part of the secret.
  for (let pad = 3_950; pad <= 4_000; pad += 3) await runtime.invoke({ name: 'wordy', input: { pad, hidden } });
  expect(lines.length).toBeGreaterThan(10);
  expect(JSON.stringify(lines)).not.toContain(hidden.slice(0, 6));
});

test('nor is a part of a secret in a failure code that does not exist, or in the name of a skill that does not', async () => {
  const hidden = `sk-${'abcdefgh'.repeat(4)}`;
  const lines: RuntimeEvent[] = [];
  const skill = defineSkill({
    name: 'invents',
    description: 'Invents failure codes.',
    category: 'execution',
    input: z.object({ hidden: secret(z.string()) }),
    output: z.object({}),
    run: () => ({ 'repertoire/failure': 'A'.repeat(50) + hidden }) as never,
  });
  const runtime = createRuntime({ skills: [skill], log: (line) => lines.push(line) });
  await runtime.invoke({ name: 'invents', input: { hidden } });
  const unknown = await runtime.invoke({ name: `${'a'.repeat(50)} ${hidden}` });
  expect(JSON.stringify([lines, unknown])).not.toContain('sk-a');
});
