// What `invoke` prints and answers for each way a run can end (C, X3, X4).
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { type FailureCode, failure } from '../../skills/define/failure.ts';
import { createRuntime, type Runtime } from '../../skills/run/runtime.ts';
import { type Asked, createCommandWorld } from './fixtures/command-world.ts';
import { createWaitingLine, invokeSkill } from './invoke.ts';

const text = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const nothing = { type: 'object', properties: {} } as const;

const greet = defineSkill({
  name: 'greet',
  description: 'Greets.',
  category: 'execution',
  assignedTo: ['TaskAgent'],
  input: text,
  output: text,
  run: async ({ name }) => ({ name: `Hello, ${String(name)}` }),
});
const codes = ['NOT_FOUND', 'PERSISTENCE_ERROR', 'EXTERNAL_SERVICE_ERROR'] as const;
const fails = defineSkill({
  name: 'fails',
  description: 'Fails.',
  category: 'execution',
  input: text,
  output: text,
  failureModes: codes,
  run: async ({ name }) =>
    failure(name as FailureCode, {
      details: 'name: is wrong.',
      resource: 'task\u001b[31m 7',
      reason: 'not yours',
      retry_after: 3,
      timeout: 30,
    }) as never,
});
const waits = defineSkill({
  name: 'waits',
  description: 'Waits.',
  category: 'execution',
  input: nothing,
  output: nothing,
  run: (_input, { signal }) => new Promise<never>((_resolve, reject) => signal.addEventListener('abort', reject)),
});
const throws = defineSkill({
  name: 'throws',
  description: 'Throws.',
  category: 'execution',
  input: nothing,
  output: nothing,
  run: () => {
    throw new Error('hunter2');
  },
});

let runtime: Runtime;
afterEach(() => runtime.close());

async function invoke(asked: Asked, input: unknown = {}, skills: readonly never[] | undefined = undefined) {
  runtime = createRuntime({ skills: skills ?? [greet, fails, waits, throws] });
  const world = createCommandWorld({ given: { config: './c.ts' }, ...asked });
  const line = createWaitingLine('x', world.context.errors);
  const code = await invokeSkill({ runtime }, world.context, { input, line });
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

const CORRELATION = '12345678-1234-1234-1234-1234567890ab';

describe('invokeSkill', () => {
  test('prints the output on one line into a pipe, and nothing else (C)', async () => {
    const ended = await invoke({ operands: ['greet'] }, { name: 'Ada' });
    expect(ended).toEqual({ code: 0, stdout: '{"name":"Hello, Ada"}\n', stderr: '' });
  });

  test('prints it on several lines for a person, without what steers a terminal (C)', async () => {
    const { stdout } = await invoke({ operands: ['greet'], isTerminal: true }, { name: 'A\u009b2J' });
    expect(stdout).toBe('{\n  "name": "Hello, A\\u009b2J"\n}\n');
  });

  test('prints the whole result with --json (C, X3)', async () => {
    const asked: Asked = { operands: ['greet'], flags: ['json'], values: { 'correlation-id': CORRELATION } };
    const { stdout } = await invoke(asked, { name: 'Ada' });
    expect(JSON.parse(stdout)).toEqual({
      invocation_id: expect.any(String),
      success: true,
      output_payload: { name: 'Hello, Ada' },
      failure_code: null,
      failure_message: null,
      failure_details: null,
      severity: null,
      suggested_action: null,
      duration_ms: expect.any(Number),
      timestamp: expect.any(String),
      correlation_id: CORRELATION,
    });
  });

  test.each([
    ['VALIDATION_ERROR', 'Input validation failed: name: is wrong. Fix input and retry'],
    ['NOT_FOUND', 'Resource not found: task 7. Verify resource exists before operation'],
    ['UNAUTHORIZED', 'Access denied: not yours. Check permissions or re-authenticate'],
    ['RATE_EXCEEDED', 'Rate limit exceeded. Retry after 3s. Wait and retry with backoff'],
    ['TIMEOUT', 'Operation timed out after 30s. Retry or increase timeout'],
    ['PERSISTENCE_ERROR', 'Database operation failed. Retry operation'],
    ['EXTERNAL_SERVICE_ERROR', 'External service unavailable. Service degradation active; retry later'],
    ['INTERNAL_ERROR', `An unexpected error occurred. Contact support with correlation ID ${CORRELATION}`],
  ])('says %s in one sentence with what to do, exit 1 (C, X4)', async (code, sentence) => {
    const asked: Asked = { operands: ['fails'], values: { 'correlation-id': CORRELATION } };
    expect(await invoke(asked, { name: code })).toEqual({ code: 1, stdout: '', stderr: `${code}: ${sentence}\n` });
  });

  test('prints a failure as JSON, too, with --json (C)', async () => {
    const { code, stdout, stderr } = await invoke({ operands: ['fails'], flags: ['json'] }, { name: 'TIMEOUT' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, failure_code: 'TIMEOUT', severity: 'recoverable' });
    expect(stderr).toMatch(/^TIMEOUT: /);
  });

  test('does not repeat what a skill threw (X4)', async () => {
    const { stdout, stderr } = await invoke({ operands: ['throws'], flags: ['json'] });
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stderr).toMatch(/^INTERNAL_ERROR: /);
  });

  test('acts as the agent that was named (X5)', async () => {
    const asked = (agent: string): Asked => ({ operands: ['greet'], given: { agent } });
    expect(await invoke(asked('TaskAgent'), { name: 'Ada' })).toMatchObject({ code: 0 });
    const refused = await invoke(asked('AIAgent'), { name: 'Ada' });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^UNAUTHORIZED: /) });
  });

  test('names the agents that a skill is for to one that it is not for (X5)', async () => {
    const { stderr } = await invoke({ operands: ['greet'], given: { agent: 'TaskAgnt' } }, { name: 'Ada' });
    expect(stderr).toMatch(/^UNAUTHORIZED: .*; it needs the role TaskAgent\. .* re-authenticate\n$/);
  });

  test('says what a correlation id looks like, exit 1 with the failure as JSON (X2)', async () => {
    const asked: Asked = { operands: ['greet'], flags: ['json'], values: { 'correlation-id': 'abc' } };
    const { code, stdout, stderr } = await invoke(asked, { name: 'Ada' });
    expect({ code, failed: JSON.parse(stdout).failure_code }).toEqual({ code: 1, failed: 'VALIDATION_ERROR' });
    const looks = / a correlation id looks like ([0-9a-f-]{36}); leave the option out to get a new one\n$/.exec(stderr);
    const right = await invoke({ ...asked, values: { 'correlation-id': looks?.[1] ?? '' } }, { name: 'Ada' });
    expect(right).toMatchObject({ code: 0, stderr: '' });
    const wrongInput = await invoke({ ...asked, values: { 'correlation-id': CORRELATION } }, {});
    expect(wrongInput.stderr).not.toContain('looks like');
  });

  test('says that it was cancelled when somebody ended it (X2)', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    const { code, stderr } = await invoke({ operands: ['waits'], signal: stop.signal });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'INTERNAL_ERROR: The invocation was cancelled. Run it again if you still need it\n',
    });
  });
});

describe('a name that no skill has (C)', () => {
  const unknown = 'Verify resource exists before operation';

  test.each([
    ['gret', 'did you mean "greet"?'],
    ['xyzzy', 'there are greet, fails, waits, throws'],
  ])('%s is answered with others', async (name, advice) => {
    const { code, stderr } = await invoke({ operands: [name] });
    expect(code).toBe(1);
    expect(stderr).toBe(`NOT_FOUND: Resource not found: skill "${name}". ${unknown}: ${advice}\n`);
  });

  test.each([
    ['gret', 'AIAgent', 'there are fails, waits, throws'],
    ['gret', 'TaskAgent', 'did you mean "greet"?'],
  ])('%s is answered with what the agent %s may invoke (X10)', async (name, agent, advice) => {
    const { stderr } = await invoke({ operands: [name], given: { agent, config: './c.ts' } });
    expect(stderr).toContain(`${unknown}: ${advice}\n`);
  });

  test('is answered with the truth when none is for the agent (X10)', async () => {
    const { stderr } = await invoke({ operands: ['gret'], given: { agent: 'AIAgent' } }, {}, [greet as never]);
    expect(stderr).toContain(`${unknown}: the agent "AIAgent" may invoke none\n`);
  });

  test('is answered with the nearest built-in skill where no file was named', async () => {
    const { stderr } = await invoke({ operands: ['gret'], given: {} });
    expect(stderr).toContain(`${unknown}: did you mean "greet"?\n`);
  });

  test('is answered with the option that was left out', async () => {
    const { stderr } = await invoke({ operands: ['greet'], given: {} }, {}, []);
    expect(stderr).toContain(`${unknown}: add the file that defines the skill with --config FILE\n`);
  });

  test('is answered with the truth when the file defines nothing', async () => {
    const { stderr } = await invoke({ operands: ['greet'] }, {}, []);
    expect(stderr).toContain('the --config file defines no usable skill\n');
  });
});

describe('createWaitingLine', () => {
  test('shows the progress of a skill to a person, harmless and within the width', async () => {
    const world = createCommandWorld({ isTerminal: true });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const line = createWaitingLine('count', world.context.errors);
    vi.advanceTimersByTime(1_050);
    line.update({ done: 3, total: 9, message: `a\u001b[2J\nb${'c'.repeat(100)}` });
    vi.advanceTimersByTime(300);
    line.end();
    expect(world.stderr()).toMatch(/\r\u001b\[Kcount: 3\/9 a bc+…\r\u001b\[K$/);
    expect(
      world
        .stderr()
        .split('\r')
        .every((shown) => shown.length < 84),
    ).toBe(true);
  });

  test('is silent in a pipe', () => {
    const world = createCommandWorld();
    const line = createWaitingLine('count', world.context.errors);
    line.update({ done: 1, total: undefined, message: undefined });
    line.end();
    expect(world.stderr()).toBe('');
  });
});
