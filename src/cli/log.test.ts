// `log` over logs in memory: what is printed for whom, filters, following (C, D9, X2).
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type InvocationLog, StoreUnavailable } from '../execution/invocation-log.ts';
import type { LoadLog } from '../load-log.ts';
import { createMemoryInvocationLog, createMemoryLoadLog } from '../store/memory.ts';
import { type Asked, createCommandWorld, ELSEWHERE } from './fixtures/command-world.ts';
import { exampleInvocation, exampleLoad, idOf } from './fixtures/example-log.ts';
import { run, show } from './log.ts';
import { invocationView, loadView } from './log-view.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

let invocations: InvocationLog;
let loads: LoadLog;
beforeEach(async () => {
  invocations = createMemoryInvocationLog();
  loads = createMemoryLoadLog();
  await record({ number: 1, timestamp: ago(90), invokingAgent: 'TaskAgent' });
  await record({ number: 2, timestamp: ago(10), ending: 'NOT_FOUND' });
  loads.record(exampleLoad({ loadedAt: ago(90) }));
  loads.record(exampleLoad({ loadedAt: ago(10), client: 'codex', skillName: 'notes' }));
});

async function record(entry: Parameters<typeof exampleInvocation>[0]): Promise<void> {
  const { invocation, result } = exampleInvocation(entry);
  await (result === undefined ? invocations.begin(invocation) : invocations.end(invocation, result));
}

async function log(asked: Asked) {
  const world = createCommandWorld({ given: ELSEWHERE, ...asked });
  const { context } = world;
  const store = { invocations, loads };
  const code = context.flags.has('loads')
    ? await show(loadView(store, context.values, NOW), context, NOW)
    : await show(invocationView(store, context.values, NOW), context, NOW);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

const numbersIn = (text: string) => [...text.matchAll(/-(\d{12})$/gm)].map(([, number]) => Number(number));

describe('log', () => {
  test('prints the newest last, like a log (C)', async () => {
    const { code, stdout, stderr } = await log({});
    expect({ code, stderr, numbers: numbersIn(stdout) }).toEqual({ code: 0, stderr: '', numbers: [1, 2] });
  });

  test('prints X2 and X3 with --json, newest first, and where the list goes on (C, X2, X3)', async () => {
    const answer = JSON.parse((await log({ flags: ['json'], values: { limit: '1' } })).stdout);
    expect(answer).toEqual({
      invocations: [
        {
          id: idOf(2),
          skill_name: 'greet',
          input_payload: { name: 'Ada' },
          invoking_agent: 'local',
          correlation_id: `c0ffee00${idOf(2).slice(8)}`,
          timestamp: ago(10).toISOString(),
          status: 'failed',
          result: expect.objectContaining({ success: false, failure_code: 'NOT_FOUND', output_payload: null }),
        },
      ],
      next_cursor: expect.any(String),
    });
  });

  test('has no result and no next page where there is none (X2)', async () => {
    await record({ number: 3, timestamp: ago(1), ending: 'running' });
    const answer = JSON.parse((await log({ flags: ['json'], values: { status: 'running' } })).stdout);
    expect(answer).toMatchObject({ invocations: [{ status: 'running', result: null }], next_cursor: null });
  });

  test.each([
    [{ status: 'failed' }, [2]],
    [{ client: 'TaskAgent' }, [1]],
    [{ since: '30m' }, [2]],
    [{ 'correlation-id': `c0ffee00${idOf(1).slice(8)}` }, [1]],
    [{ skill: 'greet', limit: '1' }, [2]],
  ] as const)('shows what fits %j (C)', async (values, numbers) => {
    expect(numbersIn((await log({ values })).stdout)).toEqual(numbers);
  });

  test('prints the loads with --loads (C, D9)', async () => {
    const { stdout } = await log({ flags: ['loads'], values: { client: 'codex' } });
    expect(stdout).toBe(`${ago(10).toISOString()}\tnotes\tcodex\tskill\tsha256:0123456789abcdef\n`);
    const answer = JSON.parse((await log({ flags: ['loads', 'json'], values: { since: '30m' } })).stdout);
    const load = {
      skill_name: 'notes',
      digest: 'sha256:0123456789abcdef',
      client: 'codex',
      surface: 'skill',
      loaded_at: ago(10).toISOString(),
    };
    expect(answer).toEqual({ loads: [load], next_cursor: null });
  });

  test.each([
    [
      ['loads'],
      { skill: 'x', since: '1m' },
      'No loads to show: none fits --skill and --since; leave it out to see all',
    ],
    [[], { status: 'timeout' }, 'No invocations to show: none fits --status; leave it out to see all'],
  ] as const)('says with %j why nothing is shown (C)', async (flags, values, sentence) => {
    expect(await log({ flags, values })).toEqual({ code: 0, stdout: '', stderr: `${sentence}\n` });
  });
});

describe('log --follow', () => {
  test('prints what is there, what comes and what changes, one JSON object per line, until it is ended (C)', async () => {
    const stop = new AbortController();
    const following = log({ flags: ['follow', 'json'], values: { limit: '1' }, signal: stop.signal });
    await pause(100);
    await record({ number: 3, timestamp: NOW, ending: 'running' });
    await pause(600);
    await record({ number: 3, timestamp: NOW });
    await pause(600);
    stop.abort();
    const { code, stdout } = await following;
    const states = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).status);
    expect({ code, states }).toEqual({ code: 0, states: ['failed', 'running', 'completed'] });
  });

  test('shows once what comes between the first look and the page (C)', async () => {
    const { list } = invocations;
    invocations.list = async (query) => {
      if (query.limit === 7) await record({ number: 3, timestamp: NOW });
      return list(query);
    };
    const stop = new AbortController();
    const following = log({ flags: ['follow'], values: { limit: '7' }, signal: stop.signal });
    await pause(700);
    stop.abort();
    expect(numbersIn((await following).stdout)).toEqual([1, 2, 3]);
  });

  test('says once that the store has gone, and goes on when it is back (C)', async () => {
    const { list } = invocations;
    const stop = new AbortController();
    const following = log({ flags: ['follow'], values: { limit: '1' }, signal: stop.signal });
    await pause(100);
    invocations.list = () => Promise.reject(new StoreUnavailable('Cannot reach the database'));
    await pause(1_200);
    invocations.list = list;
    await record({ number: 3, timestamp: NOW });
    await pause(600);
    stop.abort();
    const { stdout, stderr } = await following;
    expect({ numbers: numbersIn(stdout), stderr }).toEqual({ numbers: [2, 3], stderr: 'Cannot reach the database\n' });
  });
});

describe('run', () => {
  const runIn = async (asked: Asked) => {
    const world = createCommandWorld(asked);
    const code = await run(world.context);
    return { code, stdout: world.stdout(), stderr: world.stderr() };
  };

  test('finds nothing where nothing was recorded, and makes no folder (C)', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'repertoire-log-'));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    const data = join(parent, 'none');
    const sentence = 'No invocations yet: repertoire invoke NAME makes one\n';
    expect(await runIn({ given: { data } })).toEqual({ code: 0, stdout: '', stderr: sentence });
    const { stdout } = await runIn({ given: { data }, flags: ['json', 'loads'] });
    expect(JSON.parse(stdout)).toEqual({ loads: [], next_cursor: null });
    expect(existsSync(data)).toBe(false);
  });

  test('says in one sentence that the store cannot be reached, exit 1 (C)', async () => {
    const ended = await runIn({ given: { databaseUrl: 'postgres://127.0.0.1:1/x' } });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^Cannot reach the database: .*\n$/) });
  });

  test.each(['status', 'correlation-id'] as const)('refuses --%s for loads, exit 2 (C)', async (name) => {
    expect(await runIn({ flags: ['loads'], values: { [name]: 'x' } })).toEqual({
      code: 2,
      stdout: '',
      stderr: `Option --${name} does not go with --loads: leave one of the two out\n`,
    });
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
