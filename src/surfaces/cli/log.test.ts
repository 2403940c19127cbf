// `log` over logs in memory: what is printed for whom, filters, following (C, D9, X2).
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATIENT } from '../../../tests/support/patience.ts';
import type { LoadLog } from '../../repertoire/load-log.ts';
import { type InvocationLog, StoreUnavailable } from '../../skills/record/invocation-log.ts';
import { createMemoryInvocationLog, createMemoryLoadLog } from '../../store/fixtures/memory.ts';
import { openStore } from '../../store/store.ts';
import { type Asked, createCommandWorld, ELSEWHERE } from './fixtures/command-world.ts';
import { exampleInvocation, exampleLoad, idOf } from './fixtures/example-log.ts';
import { findCorrelationId, isCorrelationId, run, show } from './log.ts';
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
  await loads.record([
    exampleLoad({ loadedAt: ago(90) }),
    exampleLoad({ loadedAt: ago(10), client: 'codex', skillName: 'notes' }),
  ]);
});

async function record(entry: Parameters<typeof exampleInvocation>[0]): Promise<void> {
  const { invocation, result } = exampleInvocation(entry);
  await (result === undefined ? invocations.begin(invocation) : invocations.end(invocation, result));
}

async function log(asked: Asked) {
  const { stdout, stderr, ended } = startLog(asked);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
}

/** What it has printed so far, and the exit code that it ends with. */
function startLog(asked: Asked) {
  const { context, stdout, stderr } = createCommandWorld({ given: ELSEWHERE, ...asked });
  const store = { invocations, loads };
  const ended = context.flags.has('loads')
    ? show(loadView(store, context.values, NOW), context, NOW)
    : show(invocationView(store, context.values, NOW), context, NOW);
  return { stdout, stderr, ended };
}

const numbersIn = (text: string) => [...text.matchAll(/-(\d{12})$/gm)].map(([, number]) => Number(number));

describe('log', () => {
  test('without invocations says that documents were read, if any were (C, D9)', async () => {
    invocations = createMemoryInvocationLog();
    const none = 'No invocations yet: run a typed skill with `repertoire invoke NAME`';
    expect((await log({})).stderr).toBe(`${none}. 2 documents were read: \`repertoire log --loads\` lists them\n`);
    loads = createMemoryLoadLog();
    expect((await log({})).stderr).toBe(`${none}\n`);
  });

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
    [{ 'failure-code': 'NOT_FOUND' }, [2]],
    [{ client: 'TaskAgent' }, [1]],
    [{ since: '30m' }, [2]],
    [{ 'correlation-id': `c0ffee00${idOf(1).slice(8)}` }, [1]],
    [{ skill: 'greet', limit: '1' }, [2]],
    [{ cursor: Buffer.from(`${ago(10).getTime()} ${idOf(2)}`).toString('base64url') }, [1]],
  ] as const)('shows what fits %j (C)', async (values, numbers) => {
    expect(numbersIn((await log({ values })).stdout)).toEqual(numbers);
  });

  test('goes on where the list ended, with the cursor that it gave (C)', async () => {
    const page = async (values: NonNullable<Asked['values']>, flags: NonNullable<Asked['flags']> = []) =>
      JSON.parse((await log({ flags: ['json', ...flags], values: { limit: '1', ...values } })).stdout);
    const first = await page({});
    const second = await page({ cursor: first.next_cursor });
    expect(second).toMatchObject({ invocations: [{ id: idOf(1) }], next_cursor: null });
    const newest = await page({}, ['loads']);
    const older = await page({ cursor: newest.next_cursor }, ['loads']);
    expect(older).toMatchObject({ loads: [{ skill_name: 'pdf-forms' }], next_cursor: null });
  });

  test('tells a person below the list how to see the older ones, and only then (C)', async () => {
    const { stderr } = await log({ isTerminal: true, values: { limit: '1' } });
    expect(stderr).toMatch(/^For older entries, run the same command with\n {2}--cursor [\w-]{60,70}\n$/);
    expect(await log({ isTerminal: true })).toMatchObject({ stderr: '' });
    expect(await log({ values: { limit: '1' } })).toMatchObject({ stderr: '' });
  });

  test('prints long payloads cut with --json, also of a run that ends while it is followed (A5)', async () => {
    const long = { name: 'x'.repeat(100_000) };
    const { invocation } = exampleInvocation({ number: 3, timestamp: ago(100), ending: 'running' });
    await invocations.begin({ ...invocation, inputPayload: long });
    const cut = { cut: true, bytes: 100_011, begins: expect.any(String) };
    const { stdout } = await log({ flags: ['json'], values: { status: 'running' } });
    expect(JSON.parse(stdout).invocations).toMatchObject([{ id: idOf(3), input_payload: cut }]);
    const stop = new AbortController();
    const following = startLog({ flags: ['follow', 'json'], values: { limit: '1' }, signal: stop.signal });
    await expect.poll(() => following.stdout()).toContain(idOf(2));
    const success = {
      invocationId: idOf(3),
      success: true,
      outputPayload: long,
      durationMs: 1,
      timestamp: NOW,
    } as const;
    await invocations.end(invocation, success);
    await expect.poll(() => following.stdout()).toContain(idOf(3));
    stop.abort();
    await following.ended;
    const [, ended] = following.stdout().split('\n');
    expect(JSON.parse(ended ?? '')).toMatchObject({ input_payload: cut, result: { output_payload: cut } });
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
    [['loads'], { skill: 'x', since: '1m' }, 'No loads match --skill and --since: leave it out to see all'],
    [[], { status: 'timeout' }, 'No invocations match --status: leave it out to see all'],
  ] as const)('says with %j why nothing is shown (C)', async (flags, values, sentence) => {
    expect(await log({ flags, values })).toEqual({ code: 0, stdout: '', stderr: `${sentence}\n` });
  });
});

describe('log --follow', () => {
  test('prints what is there, what comes and what changes, one JSON object per line, until it is ended (C)', async () => {
    const stop = new AbortController();
    const { stdout, ended } = startLog({ flags: ['follow', 'json'], values: { limit: '1' }, signal: stop.signal });
    const states = () =>
      stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).status);
    await expect.poll(states).toEqual(['failed']);
    await record({ number: 3, timestamp: NOW, ending: 'running' });
    await expect.poll(states).toEqual(['failed', 'running']);
    await record({ number: 3, timestamp: NOW });
    await expect.poll(states).toEqual(['failed', 'running', 'completed']);
    stop.abort();
    expect(await ended).toBe(0);
    expect(states()).toHaveLength(3);
  });

  test('shows once what comes between the first look and the page (C)', async () => {
    const { list } = invocations;
    let looks = 0;
    invocations.list = async (query) => {
      looks += 1;
      if (query.limit === 7) await record({ number: 3, timestamp: NOW });
      return list(query);
    };
    const stop = new AbortController();
    const { stdout, ended } = startLog({ flags: ['follow'], values: { limit: '7' }, signal: stop.signal });
    const numbers = () => numbersIn(stdout());
    await expect.poll(numbers).toEqual([1, 2, 3]);
    const before = looks;
    // What the next look found is printed when the one after it begins.
    await expect.poll(() => looks).toBeGreaterThan(before + 1);
    stop.abort();
    await ended;
    expect(numbers()).toEqual([1, 2, 3]);
  });

  test('says once that the store has gone, and goes on when it is back (C)', async () => {
    const { list } = invocations;
    const stop = new AbortController();
    const { stdout, stderr, ended } = startLog({ flags: ['follow'], values: { limit: '1' }, signal: stop.signal });
    const numbers = () => numbersIn(stdout());
    await expect.poll(numbers).toEqual([2]);
    const away = vi.fn(() => Promise.reject(new StoreUnavailable('Cannot reach the database')));
    invocations.list = away;
    await expect.poll(() => away.mock.calls.length).toBeGreaterThan(2);
    invocations.list = list;
    await record({ number: 3, timestamp: NOW });
    await expect.poll(numbers).toEqual([2, 3]);
    stop.abort();
    await ended;
    expect(stderr()).toBe('Cannot reach the database\n');
  });
});

describe('run', () => {
  const runIn = async (asked: Asked) => {
    const world = createCommandWorld(asked);
    const code = await run(world.context);
    return { code, stdout: world.stdout(), stderr: world.stderr() };
  };

  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'repertoire-log-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  const inFolder = (data: string, flags: Asked['flags'] = []): Asked => ({ given: { data }, values: { data }, flags });

  test('finds nothing where nothing was recorded, and makes no folder (C)', async () => {
    const data = join(folder(), 'none');
    const sentence = 'No invocations yet: run a typed skill with `repertoire invoke NAME`\n';
    // Not by --data: the usual folder comes with the first record.
    expect(await runIn({ given: { data } })).toEqual({ code: 0, stdout: '', stderr: sentence });
    const { stdout } = await runIn({ given: { data }, flags: ['json', 'loads'] });
    expect(JSON.parse(stdout)).toEqual({ loads: [], next_cursor: null });
    expect(existsSync(data)).toBe(false);
  });

  test.each([[[]], [['json']], [['loads']]] as const)(
    'says of a --data that is not there that it is not, %j (C)',
    async (flags) => {
      const data = join(folder(), 'typo');
      const stderr = `Cannot read the log: the folder "${data}" does not exist; check the value of --data\n`;
      expect(await runIn(inFolder(data, flags))).toEqual({ code: 1, stdout: '', stderr });
      expect(existsSync(data)).toBe(false);
    },
  );

  test('waits with --follow for a --data that is not there yet, and says so (C)', async () => {
    const data = join(folder(), 'later');
    const stop = new AbortController();
    const { context, stderr } = createCommandWorld({ ...inFolder(data, ['follow']), signal: stop.signal });
    const ended = run(context);
    await expect.poll(stderr).toContain(', or wait until it is there\n');
    stop.abort();
    expect(await ended).toBe(0);
  });

  test('makes no database in a folder that has none, and says so (C)', async () => {
    const data = folder();
    const stderr = `No invocations yet: the folder "${data}" has no log; give the --data folder that mcp, serve or invoke uses\n`;
    expect(await runIn(inFolder(data))).toEqual({ code: 0, stdout: '', stderr });
    expect(await runIn(inFolder(data, ['json']))).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(data)).toEqual([]);
  });

  test('takes the beginning of a correlation id, or of the id of a run, from a real store (C, U11)', async () => {
    const data = folder();
    const store = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
    for (const number of [1, 2]) {
      const { invocation, result } = exampleInvocation({ number });
      const correlationId = `${number}2345678-0000-4000-8000-000000000000`;
      if (result) await store.invocations.end({ ...invocation, correlationId }, result);
    }
    await store.close();
    const asked = { given: { data }, flags: ['json'] as const };
    const { stdout } = await runIn({ ...asked, values: { data, 'correlation-id': '12345678' } });
    expect(JSON.parse(stdout).invocations).toMatchObject([{ id: idOf(1) }]);
    // `log` shows the ids of runs: their beginning means the run's correlation id.
    const ofRun = await runIn({ ...asked, values: { data, 'correlation-id': idOf(2).slice(0, 8) } });
    expect(JSON.parse(ofRun.stdout).invocations).toMatchObject([{ id: idOf(2) }]);
    const none = await runIn({ ...asked, values: { data, 'correlation-id': '32345678' } });
    expect(JSON.parse(none.stdout)).toEqual({ invocations: [], next_cursor: null });
    const bad = await runIn({ ...asked, values: { data, cursor: 'nonsense' } });
    expect(bad).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('the cursor is none of ours') });
  });

  test('refuses what is no correlation id, and a cursor with --follow, exit 2 (C)', async () => {
    expect(await runIn({ values: { 'correlation-id': 'abc' } })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Option --correlation-id cannot be "abc": use 8-4-4-4-12 hexadecimal digits, or the first 8 of them\n',
    });
    const both = await runIn({ flags: ['follow'], values: { cursor: 'x' } });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be combined with --follow') });
  });

  test('says in one sentence that the store cannot be reached, exit 1 (C)', async () => {
    const ended = await runIn({ given: { databaseUrl: 'postgres://127.0.0.1:1/x' } });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^Cannot reach the database: .*\n$/) });
  });

  test.each(['status', 'failure-code', 'correlation-id'] as const)(
    'refuses --%s for loads, exit 2 (C)',
    async (name) => {
      expect(await runIn({ flags: ['loads'], values: { [name]: 'x' } })).toEqual({
        code: 2,
        stdout: '',
        stderr: `Option --${name} cannot be combined with --loads: leave one of them out\n`,
      });
    },
  );
});

const WHOLE = 'c0ffee00-1111-4111-8111-111111111111';

test.each([
  [WHOLE, true],
  [WHOLE.toUpperCase(), true],
  ['c0ffee00', true],
  ['c0ffee00-11', true],
  ['c0ffee0', false],
  ['c0ffeexx', false],
  [`${WHOLE}1`, false],
  ['', false],
])('isCorrelationId(%j) is %s', (text, is) => {
  expect(isCorrelationId(text)).toBe(is);
});

test('the newest id that begins so is meant, also behind the first page; another is left as it is (C)', async () => {
  const log = createMemoryInvocationLog();
  const record = async (number: number, correlationId: string) => {
    const { invocation, result } = exampleInvocation({ number, timestamp: new Date(number) });
    if (result) await log.end({ ...invocation, correlationId }, result);
  };
  await record(1, 'c0ffee00-0000-4000-8000-000000000000');
  await record(2, WHOLE);
  for (let number = 3; number <= 1_100; number++) await record(number, idOf(number));
  expect(await findCorrelationId(log, 'C0FFEE00')).toBe(WHOLE);
  expect(await findCorrelationId(log, 'c0ffee00-0')).toBe('c0ffee00-0000-4000-8000-000000000000');
  expect(await findCorrelationId(log, 'deadbeef')).toBe('deadbeef');
});
