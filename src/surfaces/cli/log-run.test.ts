// `log ID`: one run as a person reads it and as JSON, found by the beginning of its id (U11).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENT } from '../../../tests/support/patience.ts';
import type { LoggedInvocation } from '../../skills/record/invocation-log.ts';
import { openStore } from '../../store/store.ts';
import { type Asked, createCommandWorld } from './fixtures/command-world.ts';
import { exampleInvocation, idOf } from './fixtures/example-log.ts';
import { run } from './log.ts';
import { renderRun } from './log-run.ts';
import { run as runRuns } from './runs.ts';
import { createPaint } from './terminal/colours.ts';
import { displayWidth } from './terminal/text-layout.ts';

const LONG = { name: 'x'.repeat(100_000) };
const [GREET, PART, OTHER, TWIN] = [
  'aaaa1111-0000-4000-8000-000000000001',
  'bbbb2222-0000-4000-8000-000000000002',
  'cccc3333-0000-4000-8000-000000000003',
  'cccc4444-0000-4000-8000-000000000004',
] as const;
const TOGETHER = 'dddd0000-0000-4000-8000-000000000000';

let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'repertoire-log-run-'));
  const { invocations, close } = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
  const record = async (id: string, correlationId: string, entry: Parameters<typeof exampleInvocation>[0] = {}) => {
    const { invocation, result } = exampleInvocation(entry);
    const inputPayload = id === GREET ? LONG : invocation.inputPayload;
    if (result)
      await invocations.end({ ...invocation, id, correlationId, inputPayload }, { ...result, invocationId: id });
  };
  await record(GREET, TOGETHER);
  await record(PART, TOGETHER, { skillName: 'part', ending: 'NOT_FOUND' });
  await record(OTHER, idOf(3));
  await record(TWIN, idOf(4));
  await close();
});
afterAll(() => rmSync(data, { recursive: true }));

async function one(id: string, asked: Asked = {}) {
  const world = createCommandWorld({ ...asked, given: { data }, values: { ...asked.values, data }, operands: [id] });
  return { code: await run(world.context), stdout: world.stdout(), stderr: world.stderr() };
}

describe('log ID', () => {
  test.each([GREET, GREET.toUpperCase(), 'aaaa1111', 'AAAA', 'aaaa1111-0000'])(
    'shows the one run whose id begins with %s, whole (C, A5, U11)',
    async (id) => {
      const { code, stdout } = await one(id, { flags: ['json'] });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        invocation: { id: GREET, input_payload: LONG },
        result: { invocation_id: GREET, success: true },
      });
      expect((await one(id)).stdout).toContain(LONG.name);
    },
  );

  test('shows the failure, what to do, and the runs that belong to it (U11)', async () => {
    const { code, stdout, stderr } = await one('bbbb');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^part {2}failed in 12 ms\n/);
    expect(stdout).toMatch(new RegExp(`^ {2}Correlation id {2}${TOGETHER}$`, 'm'));
    expect(stdout).toMatch(/^Failure {2}NOT_FOUND\n {2}\S.*\n {2}→ /m);
    const [, together = ''] = stdout.split('Runs with the same correlation id\n');
    expect(together).toMatch(/^ {2}time .*\n.* greet .* aaaa1111\n.* part .* bbbb2222\n +NOT_FOUND\n$/);
    expect((await one('cccc3')).stdout).not.toContain('correlation id\n');
  });

  test.each([
    ['cccc', 'several ids start with it: cccc4444, cccc3333; give more digits', 1],
    ['dddd0000', `but 2 runs have it as correlation id: \`repertoire log --correlation-id ${TOGETHER} --data `, 1],
    ['bbbb2223', 'the log has no run with this id; did you mean "bbbb2222"?', 1],
    [TOGETHER, 'but 2 runs have it as correlation id', 1],
    ['01234567', 'the log has no run with this id; `repertoire log --data ', 1],
    ['abc', 'this is too short; give at least the first 4 digits of its id', 2],
    ['greet', 'this is not the id of a run; `repertoire log --data ', 2],
    ['greet', '` lists the runs with their ids, `repertoire log --skill greet --data ', 2],
    [`${GREET}0`, 'this is not the id of a run', 2],
  ] as const)('says of %s: %s (C, U11)', async (id, sentence, code) => {
    const shown = await one(id);
    expect(shown).toMatchObject({ code, stdout: '' });
    expect(shown.stderr).toContain(`Cannot show the run "${id}": `);
    expect(shown.stderr).toContain(sentence);
    expect(shown.stderr.split('\n')).toHaveLength(2);
  });

  test('takes no filter beside an id (C)', async () => {
    const both = await one(GREET, { flags: ['loads'] });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--loads cannot be combined with an id') });
  });
});

describe('renderRun', () => {
  const cancelled = (): LoggedInvocation => {
    const { invocation, result } = exampleInvocation({ ending: 'INTERNAL_ERROR', skillName: 'a\u001b[31mb\nc' });
    if (result?.success !== false) throw new Error('the example should have failed');
    return { invocation, result: { ...result, failure: { ...result.failure, details: { cancelled: true } } } };
  };

  test('keeps hostile names on their line, and calls a cancelled run cancelled (X2, U11)', () => {
    const text = renderRun(cancelled(), [], { paint: createPaint(false), columns: 80 });
    expect(text).not.toMatch(/\u001b/);
    expect(text.split('\n')[0]).toBe('ab c  failed in 12 ms');
    expect(text).toMatch(/^Failure {2}cancelled$/m);
  });

  test.each([40, 60, 80])('fits %i columns (U11)', (columns) => {
    const run = exampleInvocation({ ending: 'EXTERNAL_SERVICE_ERROR' });
    const text = renderRun(run, [run, exampleInvocation({ ending: 'running' })], {
      paint: createPaint(false),
      columns,
    });
    // An id is not cut: it is to be copied.
    const prose = text.split('\n').filter((line) => !line.includes(idOf(1).slice(8)));
    expect(Math.max(...prose.map(displayWidth))).toBeLessThanOrEqual(columns);
  });
});

test.each(['show', 'approve', 'reject', 'cancel'])(
  'runs %s tells first digits that several ids have (C)',
  async (action) => {
    const { context, stderr } = createCommandWorld({ operands: [action, 'cccc'], given: { data } });
    expect(await runRuns(context)).toBe(1);
    expect(stderr()).toContain(
      `Cannot ${action} the run "cccc": several ids start with it: ${TWIN.slice(0, 8)}, ${OTHER.slice(0, 8)}; give more digits`,
    );
  },
);
