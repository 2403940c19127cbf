// Durable skills for clients that do not know tasks: they wait a while, then ask run_result (J4).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createLatch } from '../../../../tests/support/latch.ts';
import { PATIENCE_MS } from '../../../../tests/support/patience.ts';
import { createLocalBus } from '../../../async/bus.ts';
import { agentCaller } from '../../../identity/caller.ts';
import { type AnySkill, defineSkill } from '../../../skills/define/define-skill.ts';
import { createRuns } from '../../../skills/durable/create-runs.ts';
import { createLookingQueue } from '../../../skills/durable/run-queue.ts';
import { createRuntime } from '../../../skills/run/runtime.ts';
import { openStore } from '../../../store/store.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { contextOf } from '../fixtures/tool-world.ts';
import type { RequestContext } from '../wire/method.ts';
import type { ToolResult } from './tool.ts';
import { typedSkillTools } from './typed-skills.ts';

let folder = '';
let closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-durable-'));
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  rmSync(folder, { recursive: true, force: true });
});

/** `waitMs`: how long a call waits, in place of 20 s. */
async function open(skill: AnySkill, waitMs: number) {
  const store = openStore({ kind: 'sqlite', dataDirectory: folder });
  await store.migrate();
  const runtime = createRuntime({ skills: [skill], invocationLog: store.invocations });
  expect(runtime.problems).toEqual([]);
  const runs = createRuns({
    runtime,
    store: store.runs,
    queue: createLookingQueue(50),
    bus: createLocalBus((error) => {
      throw error;
    }),
    secret: async () => 'k'.repeat(43),
    log: () => undefined,
    now: () => new Date(),
    random: Math.random,
  });
  await runs.open();
  closing.push(
    () => store.close(),
    () => runtime.close(),
    () => runs.close(0),
  );
  const tools = new Map(
    typedSkillTools({ runtime, agent: undefined, tasks: { runs, ttlMs: null, waitMs } }).map((tool) => [
      tool.name,
      tool,
    ]),
  );
  const call = async (name: string, input: JsonObject, context: Partial<RequestContext> = {}, meta: JsonObject = {}) =>
    (await tools.get(name)?.call(input, contextOf({ caller: agentCaller('ada'), ...context }), meta)) as ToolResult & {
      readonly _meta: Record<string, unknown>;
    };
  return { call, tools };
}

const skillOf = (given: object, run: (progress: Tell) => Promise<void>) =>
  defineSkill({
    name: 'work',
    description: 'Works.',
    category: 'execution',
    input: z.object({}),
    output: z.object({ text: z.string() }),
    durable: {},
    run: async (_input, { progress }) => {
      await run(progress);
      return { text: 'done' };
    },
    ...given,
  });
type Tell = (done: number, total?: number, message?: string) => void;

const textOf = ({ content }: ToolResult): string => String(content[0]?.text);

test.each(['modern', 'legacy'] as const)(
  'a call of a %s client that lasts is answered with the id and run_result, which gives the result when it is there (J4)',
  async (era) => {
    const held = createLatch();
    const { call } = await open(
      skillOf({}, async (progress) => {
        progress(2, 5, 'two of them');
        await held.opened;
      }),
      10,
    );
    const first = await call('work', {}, { era });
    const id = String(first._meta['repertoire/invocation_id']);
    expect(first.isError).toBeUndefined();
    expect(first.structuredContent).toBeUndefined();
    expect(textOf(first)).toContain(`run_result with {"invocation_id":"${id}"}`);
    await vi.waitFor(
      async () =>
        expect(textOf(await call('run_result', { invocation_id: id }, { era }))).toContain('2 of 5: two of them'),
      PATIENCE_MS,
    );
    held.open();
    await vi.waitFor(async () => {
      const result = await call('run_result', { invocation_id: id.toUpperCase() }, { era });
      expect(result).toMatchObject({ structuredContent: { text: 'done' } });
      expect(result._meta['repertoire/invocation_id']).toBe(id);
    }, PATIENCE_MS);
  },
);

test('a call that ends in time is answered as any other, with the progress on the way (J4)', async () => {
  const told: unknown[] = [];
  const { call } = await open(
    skillOf({}, async (progress) => {
      progress(1, 2);
      await vi.waitUntil(() => told.length > 0, PATIENCE_MS);
    }),
    PATIENCE_MS,
  );
  const result = await call('work', {}, { progress: (...values) => void told.push(values) });
  expect(result).toMatchObject({ structuredContent: { text: 'done' } });
  expect(told).toEqual([[1, 2, undefined]]);
});

test('what waits for a person says so (J4, J8)', async () => {
  const { call } = await open(
    skillOf({ approval: 'required' }, async () => undefined),
    10,
  );
  expect(textOf(await call('work', {}))).toContain('Waiting for approval');
});

test.each([{}, { invocation_id: 7 }, { invocation_id: 'x', more: 1 }])(
  'run_result with %j says what it wants (J4)',
  async (input) => {
    const { call } = await open(
      skillOf({}, async () => undefined),
      10,
    );
    const result = await call('run_result', input);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('{ "invocation_id": "…" }');
  },
);

test("a key over MCP is this caller's, and a skill without runs refuses it (J3, X7)", async () => {
  const skill = skillOf({ durable: undefined }, async () => undefined);
  const { call, tools } = await open(skill, 10);
  const meta = { 'repertoire/idempotency_key': 'k' };
  const [one, two] = [await call('work', {}, {}, meta), await call('work', {}, {}, meta)];
  expect(one._meta['repertoire/invocation_id']).toBe(two._meta['repertoire/invocation_id']);
  const other = await call('work', {}, { caller: agentCaller('eve') }, meta);
  expect(other._meta['repertoire/invocation_id']).not.toBe(one._meta['repertoire/invocation_id']);
  expect(tools.has('run_result')).toBe(false);
  const runtime = createRuntime({ skills: [skill] });
  const unkept = typedSkillTools({ runtime, agent: undefined })[0];
  const refused = (await unkept?.call({}, contextOf(), meta)) as ToolResult;
  expect(textOf(refused)).toMatch(/^VALIDATION_ERROR/);
});
