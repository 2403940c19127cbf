// Steps below their workflow, in its order and with its names for them. Without a browser.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadTrace } from '../../web/src/api/load-trace.ts';
import type { InvocationRow } from '../../web/src/model/invocation-row.ts';
import { traceOf } from '../../web/src/model/trace.ts';
import type { Traced } from '../../web/src/model/workflow-steps.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const LATER = new Date(NOON + 10_000);

interface Given extends Partial<Omit<Traced, 'row'>> {
  readonly row?: Partial<InvocationRow>;
}

const ran = (id: string, skill: string, atMs: number, { row, input = {}, output = {} }: Given = {}): Traced => ({
  row: {
    id,
    skill,
    status: 'completed',
    agent: 'local',
    startedAt: new Date(NOON + atMs).toISOString(),
    durationMs: 500,
    ...row,
  },
  input,
  output,
});

const lines = (traced: readonly Traced[]) =>
  traceOf(traced, LATER).steps.map(({ row, depth, stepId }) => `${'-'.repeat(depth)}${row.id} ${stepId ?? ''}`.trim());

const nap = (id: string, ms = 1) => ({ id, skill: 'nap', input: { ms } });
const recorded = (...ids: string[]) => ({ steps: ids.map((id) => ({ id: `step-${id}`, invocation_id: id })) });
const LONG = { durationMs: 5_000 };

describe('traceOf()', () => {
  test('puts steps on one axis, what began first and lasted longest on top; what runs goes on until now', () => {
    const running = { durationMs: undefined, status: 'running' };
    const traced = [
      ran('b', 'nap', 1_000),
      ran('a', 'nap', 0, { row: LONG }),
      ran('c', 'nap', 2_000, { row: running }),
    ];
    const { steps, totalMs, stepCount } = traceOf(traced, LATER);
    expect([totalMs, stepCount]).toEqual([10_000, 3]);
    expect(steps.map(({ row, left, width, tone }) => [row.id, left, width, tone])).toEqual([
      ['a', 0, 50, 'good'],
      ['b', 10, 5, 'good'],
      ['c', 20, 80, 'running'],
    ]);
  });

  test('has steps below their workflow, those that began together in its order, and does not count it (X6)', () => {
    const input = { steps: [nap('one'), { parallel: [nap('two'), nap('three')] }] };
    const workflow = ran('w', 'flow', 0, { row: LONG, input, output: recorded('z', 'y', 'x') });
    const traced = [ran('x', 'nap', 9), ran('y', 'nap', 9), ran('other', 'nap', 5), workflow, ran('z', 'nap', 1)];
    expect(lines(traced)).toEqual(['w', '-z step-z', '-y step-y', '-x step-x', 'other']);
    expect(traceOf(traced, LATER).stepCount).toBe(4);
  });

  test('has a workflow within a workflow below it, and counts it as a step', () => {
    const inner = ran('i', 'flow', 1, { row: LONG, input: { steps: [nap('one')] }, output: recorded('x') });
    const outer = ran('o', 'flow', 0, { row: LONG, input: { steps: [nap('in')] }, output: recorded('i') });
    expect(lines([ran('x', 'nap', 2), inner, outer])).toEqual(['o', '-i step-i', '--x step-x']);
    expect(traceOf([ran('x', 'nap', 2), inner, outer], LATER).stepCount).toBe(2);
  });

  test('goes by skill, input and time where a workflow did not succeed, and names no step that it cannot tell', () => {
    const steps = [nap('slow', 9), nap('quick', 1), { id: 'only', skill: 'say', input: {} }];
    const failed = ran('w', 'flow', 0, { row: { ...LONG, status: 'failed' }, input: { steps }, output: null });
    const traced = [
      failed,
      ran('q', 'nap', 1, { input: { ms: 1 } }),
      ran('s', 'nap', 1, { input: { ms: 9 } }),
      ran('unlike', 'nap', 2, { input: { ms: 7 } }),
      ran('o', 'say', 3, { input: { filled: 'in' } }),
      ran('late', 'nap', 9_000),
    ];
    expect(lines(traced)).toEqual(['w', '-s slow', '-q quick', '-unlike', '-o only', 'late']);
  });

  test('has earlier attempts, items of a list and a skill that a step chose below their workflow (B4)', () => {
    const steps = [
      { ...nap('again'), retry: { attempts: 3 } },
      { id: 'chosen', skill: `\${steps.again.output.name}` },
      { ...nap('list'), skill: 'say', for_each: `\${steps.again.output.list}` },
    ];
    const traced = [
      ran('first', 'nap', 1, { row: { status: 'failed' }, output: undefined }),
      ran('second', 'nap', 2),
      ran('c', 'hum', 3),
      ran('l1', 'say', 4),
      ran('l2', 'say', 5),
    ];
    const done = { steps: ['second', 'c', 'l1', 'l2'].map((id) => ({ id: `step-${id}`, invocation_id: id })) };
    const succeeded = ran('w', 'flow', 0, { row: LONG, input: { steps }, output: done });
    expect(lines([succeeded, ...traced])).toEqual([
      'w',
      '-first again',
      '-second step-second',
      '-c step-c',
      '-l1 step-l1',
      '-l2 step-l2',
    ]);
    const failed = ran('w', 'flow', 0, { row: { ...LONG, status: 'failed' }, input: { steps }, output: null });
    expect(lines([failed, ...traced])).toEqual([
      'w',
      '-first again',
      '-second again',
      '-c chosen',
      '-l1 list',
      '-l2 list',
    ]);
  });

  test('shows each once when outputs claim nonsense', () => {
    const flow = (id: string, claimed: string) =>
      ran(id, 'flow', 0, { input: { steps: [nap('one')] }, output: recorded(claimed) });
    expect(lines([flow('a', 'b'), flow('b', 'a')]).map((line) => line.replace(/^-*(\w+).*/, '$1'))).toHaveLength(2);
    expect(lines([flow('a', 'a')])).toEqual(['a']);
  });
});

describe('loadTrace()', () => {
  const listed = (id: string, skill_name: string, input_payload: unknown) => ({
    id,
    skill_name,
    input_payload,
    result: null,
  });
  const cut = (begins: string) => ({ cut: true, bytes: 9_000, begins });

  test('goes through the pages, and asks for workflows whose payloads are cut one by one (A5)', async () => {
    const answers: Readonly<Record<string, unknown>> = {
      '/api/invocations?correlation_id=c&limit=1000': {
        invocations: [listed('a', 'nap', cut('{"text":"xx')), listed('b', 'flow', cut('{"steps":[{"id'))],
        next_cursor: 'further',
      },
      '/api/invocations?correlation_id=c&limit=998&cursor=further': {
        invocations: [listed('c', 'workflow_coordination', cut('{"name":"xx')), listed('d', 'nap', {})],
        next_cursor: null,
      },
      '/api/invocations/b': { invocation: listed('b', 'flow', 'whole b'), result: null },
      '/api/invocations/c': { invocation: listed('c', 'workflow_coordination', 'whole c'), result: null },
    };
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path);
      return Response.json(answers[path] ?? {}, { status: path in answers ? 200 : 404 });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const answer = await loadTrace('/api/invocations?correlation_id=c', {});
    expect(asked).toEqual(Object.keys(answers));
    expect(answer.ok && answer.value.map(({ id, input_payload }) => [id, input_payload])).toEqual([
      ['a', cut('{"text":"xx')],
      ['b', 'whole b'],
      ['c', 'whole c'],
      ['d', {}],
    ]);
  });
});
