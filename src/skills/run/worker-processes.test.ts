// The processes of worker skills: what they get of the server, what they may do to it, and that none is left behind.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { BOMB_MODULE, bombSkill } from '../fixtures/bomb-skill.ts';
import { PrintedLog } from '../process/printed-output.ts';
import { startProcess } from '../process/started-process.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { createRuntime } from './runtime.ts';

const lines: RuntimeEvent[] = [];

const FLOODS = ['floodStdout', 'floodStderr', 'floodChannel', 'rubbish', 'hugeFrame', 'forgedJson'];
const FORGED = ['forgedValues', 'forgedFailure', 'forgedEnd', 'forgedKind'];
const LATE = ['exitLater', 'rejectLater'];

const runtime = createRuntime({
  skills: [
    ...[
      ...FLOODS,
      ...FORGED,
      ...LATE,
      'talkLater',
      'throwLong',
      'manyValues',
      'pause',
      'instance',
      'nothing',
      'handles',
      'tellPid',
      'tellAndSpin',
      'tellAndWait',
    ].map((name) => bombSkill(name)),
    bombSkill('spawnSleeper'),
    bombSkill('environment', { environment: ['BOMB_TEST_SHOWN'] }),
    bombSkill('tellPid', {
      name: 'takes_a_date',
      input: z.object({ when: z.string().transform((text) => new Date(text)) }),
    }),
  ],
  log: (line) => lines.push(line),
});

const invoke = (name: string, input: object = {}, signal?: AbortSignal) => runtime.invoke({ name, input, signal });

afterEach(() => void vi.restoreAllMocks());
afterAll(() => runtime.close());

/** What skills print from now on, read while they print it. */
function catchPrinted(): { readonly text: () => string } {
  const before = lines.length;
  return {
    text: () =>
      lines
        .slice(before)
        .map(({ text = '' }) => `${text}\n`)
        .join(''),
  };
}

async function numberIn(text: () => string, shape: RegExp): Promise<number> {
  await expect.poll(text).toMatch(shape);
  return Number(shape.exec(text())?.[1]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const hasEnded = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false);

describe('noise', () => {
  test.each(FLOODS)('%s costs its own call, beside one that succeeds (F14) (A4)', async (name) => {
    expect(runtime.problems).toEqual([]);
    const printed = catchPrinted();
    const written = vi.spyOn(process.stderr, 'write');
    const [noisy, calm] = await Promise.all([invoke(name.toLowerCase()), invoke('pause', { n: 5 })]);
    expect(noisy).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: undefined } });
    expect(calm).toMatchObject({ outputPayload: { n: 5 } });
    expect(printed.text().length).toBeLessThan(70_000);
    expect(written).not.toHaveBeenCalled();
  });

  test.each(FORGED)('%s: an answer that its program would not send is not looked into (A4)', async (name) => {
    expect(await invoke(name.toLowerCase())).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: undefined } });
    expect(lines.findLast(({ error }) => error !== undefined)?.error).toBe('Its process sent what is no answer');
  });

  test('of a long error the beginning is told, up to a whole word (A4)', async () => {
    const listener = { onLost: () => {}, printed: new PrintedLog('throw_long', () => {}) };
    const started = await startProcess({ module: BOMB_MODULE, exportName: 'throwLong', environment: [] }, listener);
    const ending = await started.call('{}', (text) => text);
    started.end('Enough');
    const text = ending.kind === 'failed' ? String(ending.error.stack) : '';
    expect(text.length).toBeLessThan(50_000);
    expect(text).toMatch(/^Error: (a long word )+(a |a long )?…$/);
  });

  test.each(LATE)('%s: work that a call left behind does not hurt the next (F14)', async (name) => {
    for (let count = 0; count < 3; count++) {
      expect(await invoke(name.toLowerCase(), { n: count, token: `ghp_${'a'.repeat(36)}` })).toMatchObject({
        outputPayload: { n: count },
      });
      // Now and then it dies before the next call, now and then when that has been sent.
      await new Promise((resolve) => setTimeout(resolve, count));
    }
    const died = { message: 'The process of a worker skill died between two calls', skill: name.toLowerCase() };
    await expect.poll(() => lines).toContainEqual(expect.objectContaining(died));
    expect(JSON.stringify(lines)).not.toContain('ghp_a');
  });

  test('a process that has died unnoticed costs no call (F14)', async () => {
    expect(await invoke('exitlater', { n: 1 })).toMatchObject({ success: true });
    // It exits meanwhile, and nothing here can hear of it before the next call is sent.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    expect(await invoke('exitlater', { n: 2 })).toMatchObject({ outputPayload: { n: 2 } });
  });

  test('a process that talks unasked is ended, and the next call gets another (F14)', async () => {
    for (let count = 1; count <= 2; count++) {
      expect(await invoke('talklater', { n: count })).toMatchObject({ outputPayload: { n: count } });
      const said = () => lines.filter(({ error }) => error === 'Its process sent an answer to no question').length;
      await expect.poll(said).toBe(count);
    }
  });
});

describe('what crosses', () => {
  test('an output of very many tiny values is refused before it crosses (A4)', async () => {
    const before = process.memoryUsage.rss();
    expect(await invoke('manyvalues')).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
    expect(lines.findLast(({ error }) => error !== undefined)?.error).toBe(
      'Cannot hand over its output: it has more than 50,000 values (field names count, too); return fewer, or write them to a file',
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test('an object of a class, and fields that are undefined, are data', async () => {
    expect(await invoke('instance', { n: 3 })).toMatchObject({ outputPayload: { n: 3 } });
  });

  test('no output at all is a failure', async () => {
    expect(await invoke('nothing')).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
  });

  test('a checked input that is no JSON is a failure, not another value', async () => {
    expect(await invoke('takes_a_date', { when: '2026-01-01' })).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
    expect(lines.findLast(({ error }) => error !== undefined)?.error).toBe(
      'Cannot hand the checked input to its process: when is not a JSON value',
    );
  });

  test('the environment has what programs need and what the definition names, nothing of the operator', async () => {
    vi.stubEnv('REPERTOIRE_SECRET', 'x'.repeat(40)).stubEnv('DATABASE_URL', 'postgres://u:p@h/d');
    vi.stubEnv('BOMB_TEST_SHOWN', 'named').stubEnv('BOMB_TEST_HIDDEN', 'not named').stubEnv('LC_ALL', 'C.UTF-8');
    const answer = await invoke('environment');
    vi.unstubAllEnvs();
    expect(answer).toMatchObject({ outputPayload: { shown: 'named' } });
    const names = answer.success ? (answer.outputPayload.names as string[]) : [];
    expect(names).toEqual(expect.arrayContaining(['PATH', 'LC_ALL']));
    expect(names.filter((name) => /REPERTOIRE|DATABASE|HIDDEN|VITEST|npm_|NODE_OPTIONS/.test(name))).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('no handle of the server is in its process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'handles-'));
    const file = openSync(join(folder, 'secret.txt'), 'w');
    const server = createServer().listen(0, '127.0.0.1');
    const answer = await invoke('handles');
    server.close();
    closeSync(file);
    rmSync(folder, { recursive: true });
    const names = answer.success ? (answer.outputPayload.names as string[]) : [];
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => name.includes('secret.txt'))).toEqual([]);
    // Standard output, standard error and the channel.
    expect(names.filter((name) => name.startsWith('socket:'))).toHaveLength(3);
  });
});

describe('its life', () => {
  test('a process is used again', async () => {
    const [first, second] = [await invoke('tellpid'), await invoke('tellpid')];
    expect(first.success && second.success && first.outputPayload.n === second.outputPayload.n).toBe(true);
  });

  test('a process that nothing was asked of for ten seconds ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = await invoke('tellpid').finally(() => {
      vi.advanceTimersByTime(10_000);
      vi.useRealTimers();
    });
    expect(answer).toMatchObject({ success: true });
    await hasEnded(answer.success ? Number(answer.outputPayload.n) : 0);
  });

  test.each(['tellandspin', 'tellandwait'])('%s: a call that is cancelled ends its process', async (name) => {
    const printed = catchPrinted();
    const stop = new AbortController();
    const stuck = invoke(name, {}, stop.signal);
    const pid = await numberIn(printed.text, /pid (\d+)/);
    stop.abort();
    expect(await stuck).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: { cancelled: true } } });
    await hasEnded(pid);
  });

  test('what the skill started is ended with it', async () => {
    const printed = catchPrinted();
    const stop = new AbortController();
    const stuck = invoke('spawnsleeper', {}, stop.signal);
    const pid = await numberIn(printed.text, /sleeper (\d+)/);
    stop.abort();
    await stuck;
    await hasEnded(pid);
  });

  test('closing the runtime ends idle processes and those that run', async () => {
    const printed = catchPrinted();
    const closing = createRuntime({
      skills: [bombSkill('tellPid'), bombSkill('tellAndSpin')],
      log: (line) => lines.push(line),
    });
    const idle = await closing.invoke({ name: 'tellpid', input: {} });
    const stuck = closing.invoke({ name: 'tellandspin', input: {} });
    const pid = await numberIn(printed.text, /pid (\d+)/);
    await closing.close();
    expect(await stuck).toMatchObject({ failure: { details: { cancelled: true } } });
    expect([pid, idle.success && Number(idle.outputPayload.n)].map((each) => isRunning(Number(each)))).toEqual([
      false,
      false,
    ]);
  });

  test.each(['tellAndSpin', 'tellAndWait', 'spawnSleeper', 'spawnAndWait'])(
    '%s: no process outlives a server that is killed (F11)',
    async (name) => {
      const program = fileURLToPath(new URL('../fixtures/worker-server.ts', import.meta.url));
      const server = spawn(process.execPath, ['--import', 'tsx', program, name], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let printed = '';
      server.stderr.on('data', (chunk) => (printed += String(chunk)));
      const pid = await numberIn(() => printed, /(?:pid|sleeper) (\d+)/);
      expect(isRunning(pid)).toBe(true);
      server.kill('SIGKILL');
      await hasEnded(pid);
    },
  );
});
