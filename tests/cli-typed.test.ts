// `repertoire invoke`, `log`, `stats` and `migrate` as a user meets them, on a real store (C, X2–X8).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliWorld, createCliWorld, programWords } from './cli-world.ts';
import { CANNOT_REACH } from './support/postgres-database.ts';
import { program } from './support/world.ts';
import { write } from './support/write-skill.ts';

const CONFIG = `
import { defineSkill, failure } from ${JSON.stringify(resolve('dist/lib/skills.js'))};

const common = { description: 'For a test.', category: 'execution' };
const text = (name, more = {}) => ({ type: 'object', properties: { [name]: { type: 'string', ...more } }, required: [name] });
const nothing = { type: 'object', properties: {} };

export default {
  skills: [
    defineSkill({ ...common, name: 'greet', assignedTo: ['TaskAgent'], input: text('name'), output: text('greeting'),
      run: async ({ name }) => ({ greeting: 'Hello, ' + name }) }),
    defineSkill({ ...common, name: 'fails', input: text('code'), output: nothing,
      failureModes: ['NOT_FOUND', 'EXTERNAL_SERVICE_ERROR'],
      run: async ({ code }) => failure(code, { resource: 'task 7', retry_after: 3 }) }),
    defineSkill({ ...common, name: 'endless', input: nothing, output: nothing, timeoutSeconds: 1,
      run: () => new Promise(() => {}) }),
    defineSkill({ ...common, name: 'long', input: nothing, output: nothing,
      run: (_, { signal, log }) => { log('has begun'); return new Promise((_done, stop) => signal.addEventListener('abort', stop)); } }),
    defineSkill({ ...common, name: 'invents', input: nothing, output: nothing,
      run: () => ({ 'repertoire/failure': 'OUT_OF_MILK' }) }),
    defineSkill({ ...common, name: 'loose', input: text('password', { secret: true }), output: nothing,
      run: async ({ password }) => { Promise.reject(new Error('loose ' + password)); await new Promise((done) => setTimeout(done, 100)); return {}; } }),
    defineSkill({ ...common, name: 'vault', input: text('password', { secret: true }), output: nothing,
      run: ({ password }) => { throw new Error('bad ' + password); } }),
  ],
};
`;

let world: CliWorld;
let children: ChildProcess[] = [];
beforeEach(() => {
  world = createCliWorld();
  write(join(world.project, 'c.mjs'), CONFIG);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  world.remove();
});

const invoke = (...args: readonly string[]) => world.run(['invoke', ...args, '--config', 'c.mjs']);
const dataDirectory = () => join(world.home, '.repertoire');

function start(...args: readonly string[]): ChildProcess & { readonly text: () => string } {
  const child = spawn(process.execPath, [program, ...args], { cwd: world.project, env: world.environment });
  children.push(child);
  let text = '';
  const keep = (part: Buffer) => {
    text += part;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return Object.assign(child, { text: () => text });
}

describe('invoke', () => {
  test('prints the output, and takes it from the command line, a file and standard input (C)', () => {
    const printed = { code: 0, stdout: '{"greeting":"Hello, Ada"}\n', stderr: '' };
    expect(invoke('greet', '--input', '{"name":"Ada"}')).toEqual(printed);
    write(join(world.project, 'in.json'), '{"name":"Ada"}');
    expect(invoke('greet', '--input', '@in.json')).toEqual(printed);
    const options = { cwd: world.project, env: world.environment, encoding: 'utf8', input: '{"name":"Ada"}' } as const;
    const words = [program, 'invoke', 'greet', '--config', 'c.mjs', '--input', '-'];
    const { status: code, stdout, stderr } = spawnSync(process.execPath, words, options);
    expect({ code, stdout, stderr }).toEqual(printed);
  });

  test.each([
    ['VALIDATION_ERROR', ['greet'], 'Input validation failed: name: is required. Fix input and retry'],
    ['NOT_FOUND', ['gret'], 'Resource not found: skill "gret". Verify resource exists before operation: did you mean'],
    ['NOT_FOUND', ['fails', '--input', '{"code":"NOT_FOUND"}'], 'Resource not found: task 7. Verify resource exists'],
    [
      'UNAUTHORIZED',
      ['greet', '--agent', 'AIAgent'],
      'Access denied: this agent is not assigned to the skill; it needs the role TaskAgent. Check',
    ],
    ['RATE_EXCEEDED', ['fails', '--input', '{"code":"RATE_EXCEEDED"}'], 'Rate limit exceeded. Retry after 3s. Wait'],
    ['TIMEOUT', ['endless'], 'Operation timed out after 1s. Retry or increase timeout'],
    [
      'PERSISTENCE_ERROR',
      ['long', '--log', 'required', '--database-url', 'postgres://127.0.0.1:1/x'],
      'Database operation failed. Retry operation',
    ],
    [
      'EXTERNAL_SERVICE_ERROR',
      ['fails', '--input', '{"code":"EXTERNAL_SERVICE_ERROR"}'],
      'External service unavailable. Service degradation active; retry later',
    ],
    [
      'INTERNAL_ERROR',
      ['vault', '--input', '{"password":"hunter2-canary"}'],
      'An unexpected error occurred. Contact support with correlation ID ',
    ],
  ])('ends with %s for %j: a sentence, the result as JSON, exit 1 (C, X4)', (failureCode, args, sentence) => {
    const { code, stdout, stderr } = invoke(...args, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, output_payload: null, failure_code: failureCode });
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(`${failureCode}: ${sentence}`);
    expect(stdout + stderr).not.toContain('hunter2');
  });

  test.each([
    [['greet', '--input', '{bad'], /^Cannot read the input: --input is not JSON/],
    [['greet', '--input', '@nope.json'], /^Cannot read the input: "nope\.json" does not exist/],
    [['greet', '--inptu', '{}'], /^Unknown option "--inptu": did you mean "--input"\?\n$/],
    [['greet', '--limit', '5'], /^Option --limit does not apply to "invoke"/],
  ])('refuses %j, exit 2 (C)', (args, sentence) => {
    expect(invoke(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) });
  });

  test('says what a correlation id looks like, exit 1 with the failure as JSON (X2)', () => {
    const { code, stdout, stderr } = invoke('greet', '--input', '{"name":"Ada"}', '--correlation-id', 'abc', '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, failure_code: 'VALIDATION_ERROR' });
    expect(stderr).toMatch(/correlation_id: must be 8-4-4-4-12 .* a correlation id looks like [0-9a-f-]{36};/);
  });

  test('without a configuration says how to name one, and with a wrong one what is wrong (C)', () => {
    const none = world.run(['invoke', 'greet']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('with --config FILE') });
    const missing = world.run(['invoke', 'greet', '--config', 'nope.ts']);
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^Cannot load [^\n]*\n$/) });
  });

  test('Ctrl-C cancels the run, which is recorded (X2)', async () => {
    const child = start('invoke', 'long', '--config', 'c.mjs');
    await expect.poll(child.text).toContain('has begun');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(child.text()).toContain('INTERNAL_ERROR: The invocation was cancelled.');
    const [entry] = world.json(['log']).invocations;
    expect(entry).toMatchObject({ status: 'failed', result: { failure_details: { cancelled: true } } });
    expect(world.run(['log']).stdout).toMatch(/\tfailed\tlong\tlocal\t\d+\tcancelled\t/);
  });

  test('records nothing with --no-log, and runs where nothing can be recorded (X7)', () => {
    expect(invoke('greet', '--input', '{"name":"Ada"}', '--no-log')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(dataDirectory())).toBe(false);
    const { code, stdout } = invoke('greet', '--input', '{"name":"Ada"}', '--data', '/dev/null/data');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"greeting":"Hello, Ada"}\n' });
  });
});

describe('log', () => {
  test('shows who ran what and how it went, and holds no secret (C, X2)', () => {
    const correlation = '12345678-1234-1234-1234-1234567890ab';
    invoke('greet', '--input', '{"name":"Ada"}', '--agent', 'TaskAgent', '--correlation-id', correlation);
    invoke('vault', '--input', '{"password":"hunter2-canary"}');
    const { code, stdout } = world.run(['log']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^\\S+\tcompleted\tgreet\tTaskAgent\t\\d+\t\t${correlation}\t\\S+\n\\S+\tfailed\tvault\tlocal\t\\d+\tINTERNAL_ERROR\t\\S+\t\\S+\n$`,
      ),
    );
    expect(world.json(['log', '--correlation-id', correlation])).toMatchObject({
      invocations: [{ skill_name: 'greet', result: { output_payload: { greeting: 'Hello, Ada' } } }],
      next_cursor: null,
    });
    const files = readdirSync(dataDirectory()).map((name) => readFileSync(join(dataDirectory(), name), 'latin1'));
    expect(files.join('') + stdout + JSON.stringify(world.json(['log']))).not.toContain('hunter2');
  });

  test('takes up to 1000 entries, search still 50 (C)', () => {
    expect(world.run(['log', '--limit', '1000'])).toMatchObject({ code: 0 });
    const refusal = (most: string) => ({ code: 2, stderr: expect.stringContaining(`from 1 to ${most}\n`) });
    expect(world.run(['log', '--limit', '1001'])).toMatchObject(refusal('1000'));
    expect(world.run(['--limit', '51', 'search', 'x'])).toMatchObject(refusal('50'));
  });

  test('without a store is empty, says how entries come, and makes no folder (C)', () => {
    const sentence = `No invocations yet: run a typed skill with \`${programWords} invoke NAME\`\n`;
    expect(world.run(['log'])).toEqual({ code: 0, stdout: '', stderr: sentence });
    expect(world.json(['log', '--loads'])).toEqual({ loads: [], next_cursor: null });
    expect(existsSync(dataDirectory())).toBe(false);
  });

  test('goes on with --cursor, and takes the eight digits of a correlation id (C)', () => {
    const correlation = '12345678-1234-1234-1234-1234567890ab';
    invoke('greet', '--input', '{"name":"Ada"}', '--correlation-id', correlation);
    invoke('greet', '--input', '{"name":"Bob"}');
    const { invocations, next_cursor: cursor } = world.json(['log', '--limit', '1']);
    expect(invocations).toMatchObject([{ input_payload: { name: 'Bob' } }]);
    const older = world.json(['log', '--cursor', cursor]);
    expect(older).toMatchObject({ invocations: [{ input_payload: { name: 'Ada' } }], next_cursor: null });
    expect(world.json(['log', '--correlation-id', '12345678']).invocations).toHaveLength(1);
    const usage = (sentence: string) => ({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(world.run(['log', '--cursor', 'x'])).toEqual(usage('the cursor is none of ours'));
    expect(world.run(['log', '--correlation-id', 'abc'])).toEqual(usage('use 8-4-4-4-12 hexadecimal digits'));
  });

  test.each(['log', 'stats'])('%s reads a --data without a log and leaves it as it is (C)', (command) => {
    const missing = world.run([command, '--data', 'typo']);
    const sentence = 'Cannot read the log: the folder "typo" does not exist; check the value of --data\n';
    expect(missing).toEqual({ code: 1, stdout: '', stderr: sentence });
    const empty = world.run([command, '--data', '.']);
    expect(empty).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('the folder "." has no log'),
    });
    expect(readdirSync(world.project)).toEqual(['c.mjs']);
  });

  test('says that its store cannot be reached, exit 1 (C)', () => {
    const ended = world.run(['log'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(CANNOT_REACH) });
  });

  test('follows what other processes do, from before the store is there until Ctrl-C (C)', async () => {
    const child = start('log', '--follow', '--json');
    await once(child, 'spawn');
    invoke('greet', '--input', '{"name":"Ada"}');
    await expect.poll(child.text).toContain('"status":"completed"');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    const entries = child
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.at(-1)).toMatchObject({ skill_name: 'greet', result: { success: true } });
  });
});

test('stats counts what ran (C, X8)', () => {
  invoke('greet', '--input', '{"name":"Ada"}');
  invoke('greet');
  const { window, skills, series, documents } = world.json(['stats']);
  expect({ window, skills, documents }).toEqual({
    window: '1h',
    skills: [
      {
        skill_name: 'greet',
        count: 2,
        success_count: 1,
        failure_count: 1,
        success_rate: 0.5,
        caller_failure_count: 1,
        failures: { VALIDATION_ERROR: 1 },
        duration_ms: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
      },
    ],
    documents: [],
  });
  expect(series.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(2);
  expect(world.run(['stats', '--window', '7d']).stdout).toMatch(/^typed\tgreet\t2\t0\.5\t/);
  expect(world.run(['stats', '--window', 'x'])).toMatchObject({ code: 2 });
  const unknown = world.run(['stats', '--skill', 'nope']);
  expect(unknown).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Nothing was recorded for "nope" .* greet\n$/),
  });
});

test('migrate applies, then finds everything up to date; --print opens nothing (C, X7)', () => {
  expect(world.run(['migrate', '--print']).stdout).toContain('BEGIN;');
  expect(world.run(['migrate', '--print'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' }).stdout).toContain(
    'TIMESTAMPTZ',
  );
  expect(existsSync(dataDirectory())).toBe(false);
  expect(world.run(['migrate'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0001-invocations\n/) });
  expect(world.run(['migrate'])).toEqual({ code: 0, stdout: '', stderr: 'SQLite: everything is up to date\n' });
  expect(world.json(['migrate'])).toEqual({ store: 'sqlite', applied: [] });
});

test.each(['invoke', 'log', 'stats', 'migrate'])('%s explains itself with an example (C)', (name) => {
  const { code, stdout } = world.run([name, '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain(`Example\n  repertoire ${name}`);
});

test('the help names the choices of --log (C)', () => {
  expect(world.run(['invoke', '--help']).stdout).toMatch(/--log POLICY[^-]*required[^-]*best-effort/);
});

test('a failure code that does not exist is INTERNAL_ERROR, and a line says so (X4)', () => {
  const { code, stderr } = invoke('invents');
  expect(code).toBe(1);
  expect(stderr).toMatch(/Skill "invents" returned a failure code that does not exist .*OUT_OF_MILK/);
  expect(stderr).toContain('INTERNAL_ERROR: An unexpected error occurred');
});

test('--no-log and --log required contradict each other (C)', () => {
  const { code, stderr } = invoke('greet', '--no-log', '--log', 'required');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'Option --no-log cannot be combined with --log required: leave one of them out\n',
  });
});

test('background work that fails costs neither the run nor a secret (F14)', () => {
  const { code, stdout, stderr } = invoke('loose', '--input', '{"password":"CanaryLoose"}');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{}\n' });
  expect(stderr).toContain('background work');
  expect(stderr).not.toContain('CanaryLoose');
});

describe('what a process that is gone left behind', () => {
  const statuses = (): readonly string[] =>
    world.json(['log']).invocations.map(({ status }: { status: string }) => status);

  const killDuringRun = async () => {
    const child = start('invoke', 'long', '--config', 'c.mjs');
    await expect.poll(() => child.text()).toContain('has begun');
    await expect.poll(statuses).toEqual(['running']);
    child.kill('SIGKILL');
    await once(child, 'exit');
  };

  test('is closed as failed by the next look at the log (X2)', async () => {
    await killDuringRun();
    expect(statuses()).toEqual(['failed']);
  });

  test('is closed, and what is old forgotten, by a server that only runs typed skills (X7)', async () => {
    invoke('greet', '--input', '{"name":"Ada"}');
    const aged = () => {
      // As if it had been written two minutes ago.
      const code = `const D = require('libsql'); const d = new D(process.argv[1]); for (const t of ['skill_invocations', 'skill_results']) d.exec('UPDATE ' + t + ' SET created_at = created_at - 120000')`;
      return spawnSync(process.execPath, ['-e', code, join(dataDirectory(), 'repertoire.db')], { encoding: 'utf8' });
    };
    expect(aged().status).toBe(0);
    const server = start('mcp', '--config', 'c.mjs', '--keep', '1m');
    await expect.poll(statuses).toEqual([]);
    server.stdin?.end();
    await once(server, 'exit');
  });
});
