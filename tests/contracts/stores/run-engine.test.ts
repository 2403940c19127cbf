// Runs from start to end over a real store: carried out once, tried again, cancelled, allowed, on any of several engines (J).
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openCounting } from '../../../src/app/counting.ts';
import { createLocalBus } from '../../../src/async/bus.ts';
import { sleep } from '../../../src/async/sleep.ts';
import { workflowCoordination } from '../../../src/builtin/workflow/workflow-coordination.ts';
import { agentCaller, type Caller, LOCAL_OPERATOR } from '../../../src/identity/caller.ts';
import { type AnySkill, defineSkill } from '../../../src/skills/define/define-skill.ts';
import { failure } from '../../../src/skills/define/failure.ts';
import { createRuns, type OpenRuns } from '../../../src/skills/durable/create-runs.ts';
import { createLookingQueue } from '../../../src/skills/durable/run-queue.ts';
import type { Run, StartedRun } from '../../../src/skills/durable/runs.ts';
import type { InvocationLog } from '../../../src/skills/record/invocation-log.ts';
import { createCountedRuntime, createRuntime } from '../../../src/skills/run/runtime.ts';
import { openStore, type StoreOptions } from '../../../src/store/store.ts';
import { createLatch } from '../../support/latch.ts';
import { PATIENCE_MS, PATIENT } from '../../support/patience.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
/** What decisions are entered into the trail with. */
const TRAIL = { trailKey: { dataDirectory: '', secret: 'a secret of at least thirty-two bytes' } };
const agent = agentCaller('billing', ['TaskAgent']);
const text = z.object({ text: z.string() });

/** Counts how often it ran, by its input. */
function countingSkill(given: Partial<AnySkill> & { readonly name?: string } = {}, answer = async () => {}) {
  const ran: string[] = [];
  const skill = defineSkill({
    name: 'work',
    description: 'Works.',
    category: 'execution',
    input: text,
    output: text,
    failureModes: ['EXTERNAL_SERVICE_ERROR'],
    durable: {},
    run: async (input, { signal }) => {
      ran.push(input.text);
      await answer();
      signal.throwIfAborted();
      return { text: input.text.toUpperCase() };
    },
    ...(given as object),
  });
  return { skill, ran };
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let closing: (() => Promise<void>)[] = [];
  /** Of each engine. */
  let logs: InvocationLog[] = [];
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
    logs = [];
  });

  /** So many processes, as it were, on one store. */
  async function openEngines(
    skills: readonly AnySkill[],
    count = 1,
    options: Partial<StoreOptions> = {},
    countsTogether = false,
  ): Promise<readonly OpenRuns[]> {
    const place = await world.place(kind);
    const engines: OpenRuns[] = [];
    for (let n = 0; n < count; n += 1) {
      const store = openStore(place, { ...PATIENT, ...TRAIL, ...options });
      await store.migrate();
      const counting = countsTogether
        ? await openCounting(store, { log: () => undefined, secret: undefined, isServer: true })
        : undefined;
      const runtime = createCountedRuntime({ skills, invocationLog: store.invocations }, counting);
      expect(runtime.problems).toEqual([]);
      const runs = createRuns({
        runtime,
        store: store.runs,
        queue: createLookingQueue(50),
        bus: createLocalBus((error) => {
          throw error;
        }),
        secret: () => store.secrets.getOrAdd('run-key', () => 'k'.repeat(43)),
        log: () => undefined,
        now: () => new Date(),
        random: Math.random,
      });
      await runs.open();
      logs.push(store.invocations);
      closing.push(async () => {
        await runs.close(0);
        await runtime.close();
        await counting?.close();
        await store.close();
      });
      engines.push(runs);
    }
    return engines;
  }

  const start = async (runs: OpenRuns | undefined, given: object = {}, caller: Caller = agent): Promise<Run> => {
    const started = (await runs?.start({ name: 'work', input: { text: 'hi' }, caller, ...given })) as StartedRun;
    if (started.state !== 'stored') throw new Error(JSON.stringify(started));
    return started.run;
  };
  const ended = async (runs: OpenRuns | undefined, { invocation }: Run, caller: Caller = agent) =>
    runs?.wait(invocation.id, caller, { ms: PATIENCE_MS });

  test('a run is stored before it is answered, is carried out once on some engine, and its end is found on all (J1, J2)', async () => {
    const { skill, ran } = countingSkill();
    const engines = await openEngines([skill], 3);
    const run = await start(engines[0]);
    expect(run).toMatchObject({
      invocation: { skillName: 'work', invokingAgent: 'billing', ownerKey: 'agent:billing' },
      owner: agent && { kind: 'agent', name: 'billing' },
    });
    const result = await ended(engines[2], run);
    expect(result).toMatchObject({ invocation: { status: 'completed' }, result: { outputPayload: { text: 'HI' } } });
    expect(result?.attempts).toMatchObject([{ attempt: 1, failureCode: undefined }]);
    expect(ran).toEqual(['hi']);
  });

  test('what may not be invoked, or does not fit, is refused as a call is, and not stored (J1)', async () => {
    const { skill, ran } = countingSkill({ assignedTo: ['AuthAgent'] });
    const [runs] = await openEngines([skill]);
    const refused = await runs?.start({ name: 'work', input: { text: 'hi' }, caller: agent });
    expect(refused).toMatchObject({ state: 'ended', answer: { failure: { code: 'UNAUTHORIZED' } } });
    const invalid = await runs?.start({ name: 'work', input: { text: 1 }, caller: LOCAL_OPERATOR });
    expect(invalid).toMatchObject({ state: 'ended', answer: { failure: { code: 'VALIDATION_ERROR' } } });
    expect((await runs?.list({ limit: 9 }, LOCAL_OPERATOR))?.runs).toEqual([]);
    expect(ran).toEqual([]);
  });

  test('an idempotent one is tried again after a failure that passes, with its attempts told (J5)', async () => {
    let left = 2;
    const { skill } = countingSkill({
      durable: { idempotent: true, attempts: 3, backoffSeconds: 0 },
      run: async () => (left-- > 0 ? failure('EXTERNAL_SERVICE_ERROR') : { text: 'at last' }),
    } as never);
    const [runs] = await openEngines([skill]);
    const done = await ended(runs, await start(runs));
    expect(done).toMatchObject({ invocation: { status: 'completed' }, result: { outputPayload: { text: 'at last' } } });
    expect(done?.attempts.map(({ failureCode }) => failureCode)).toEqual([
      'EXTERNAL_SERVICE_ERROR',
      'EXTERNAL_SERVICE_ERROR',
      undefined,
    ]);
  });

  test('what a skill says in the details of its failure is not taken for a cancelled run: it is tried again (J5)', async () => {
    const { skill } = countingSkill({
      durable: { idempotent: true, attempts: 2, backoffSeconds: 0 },
      run: async () => failure('EXTERNAL_SERVICE_ERROR', { cancelled: true }),
    } as never);
    const [runs] = await openEngines([skill]);
    const done = await ended(runs, await start(runs));
    expect(done?.attempts).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  });

  test('one that is not idempotent is not tried again (J5)', async () => {
    let runsOf = 0;
    const { skill } = countingSkill({
      run: async () => {
        runsOf += 1;
        return failure('EXTERNAL_SERVICE_ERROR');
      },
    } as never);
    const [runs] = await openEngines([skill]);
    const done = await ended(runs, await start(runs));
    expect(done).toMatchObject({
      invocation: { status: 'failed' },
      result: { failure: { code: 'EXTERNAL_SERVICE_ERROR' } },
    });
    expect(runsOf).toBe(1);
  });

  test('one key gives one run and equal answers, however many come at once on two engines (J3)', async () => {
    const { skill, ran } = countingSkill();
    const engines = await openEngines([skill], 2);
    const given = { idempotencyKey: 'charge-1', input: { text: 'pay' } };
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => start(engines[n % 2], given)));
    const ends = await Promise.all(all.map((run, n) => ended(engines[n % 2], run)));
    expect(new Set(ends.map((end) => JSON.stringify(end?.result))).size).toBe(1);
    expect(ran).toEqual(['pay']);
    const other = await engines[1]?.start({
      name: 'work',
      input: { text: 'more' },
      caller: agent,
      idempotencyKey: 'charge-1',
    });
    expect(other).toMatchObject({ state: 'conflict', answer: { failure: { code: 'VALIDATION_ERROR' } } });
    const stranger = await start(engines[0], given, agentCaller('other'));
    expect(stranger.invocation.id).not.toBe(all[0]?.invocation.id);
  });

  test('calls with a key that is known do not count for the limits of the skill, which ran once (J3)', async () => {
    const { skill, ran } = countingSkill({ limits: { perMinute: 2 } });
    const engines = await openEngines([skill], 2, {}, true);
    const given = { idempotencyKey: 'charge-1', input: { text: 'pay' } };
    const all = await Promise.all(Array.from({ length: 40 }, (_, n) => start(engines[n % 2], given)));
    expect(new Set(all.map(({ invocation }) => invocation.id)).size).toBe(1);
    await ended(engines[0], all[0] as Run);
    expect((await start(engines[1], given)).invocation.id).toBe(all[0]?.invocation.id);
    expect(ran).toEqual(['pay']);
  });

  test('another input is a conflict also where it would not fit, and is in the log under an id of its own (J3, X2)', async () => {
    const { skill } = countingSkill();
    const [runs] = await openEngines([skill]);
    const given = { name: 'work', caller: agent, idempotencyKey: 'charge-1' };
    const first = await start(runs, given);
    const other = await runs?.start({ ...given, input: { text: 1 } });
    expect(other).toMatchObject({ state: 'conflict', answer: { failure: { code: 'VALIDATION_ERROR' } } });
    if (other?.state !== 'conflict') throw new Error('No conflict');
    expect(other.answer.invocationId).not.toBe(first.invocation.id);
    const refused = await runs?.start({ ...given, idempotencyKey: 'a b' });
    if (refused?.state !== 'ended') throw new Error('Not refused');
    for (const { invocationId } of [other.answer, refused.answer]) {
      expect(await logs[0]?.find(invocationId)).toMatchObject({
        invocation: { status: 'failed', skillName: 'work', invokingAgent: 'billing' },
        result: { failure: { code: 'VALIDATION_ERROR' } },
      });
    }
  });

  test('a running one is cancelled from another engine, and its skill is told (J2)', async () => {
    const { skill, ran } = countingSkill({
      run: (_input: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          ran.push('began');
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    } as never);
    const engines = await openEngines([skill], 2);
    const run = await start(engines[0]);
    await expect.poll(() => ran).toEqual(['began']);
    expect(await engines[1]?.cancel(run.invocation.id, agentCaller('other'))).toBeUndefined();
    await engines[1]?.cancel(run.invocation.id, agent);
    expect(await ended(engines[1], run)).toMatchObject({
      invocation: { status: 'failed' },
      result: { failure: { code: 'INTERNAL_ERROR', details: { cancelled: true } } },
    });
  });

  test("others' runs do not exist; who may read the log sees them, and does not cancel them (J2)", async () => {
    const { skill } = countingSkill();
    const [runs] = await openEngines([skill]);
    const run = await start(runs);
    await ended(runs, run);
    const { id } = run.invocation;
    expect(await runs?.find(id, agentCaller('other'))).toBeUndefined();
    const auditor = agentCaller('auditor', [], ['log:read']);
    expect(await runs?.find(id, auditor)).toMatchObject({ invocation: { id } });
    expect(await runs?.cancel(id, auditor)).toBeUndefined();
    expect((await runs?.list({ limit: 9 }, agentCaller('other')))?.runs).toEqual([]);
    expect((await runs?.list({ limit: 9 }, agent))?.runs).toHaveLength(1);
  });

  test('one that needs approval waits for somebody else who may allow it (J8)', async () => {
    const { skill, ran } = countingSkill({ approval: 'required', durable: undefined } as never);
    const [runs] = await openEngines([skill]);
    const approver = agentCaller('boss', [], ['runs:approve']);
    const run = await start(runs, {}, approver);
    const { id } = run.invocation;
    expect(run).toMatchObject({ invocation: { status: 'pending' }, approval: { state: 'waiting' } });
    const approve = (by: Caller) => runs?.decide(id, { verdict: 'approve', by, message: 'fine' });
    expect(await approve(agent)).toEqual({ ok: false, reason: 'forbidden' });
    expect(await approve(approver)).toEqual({ ok: false, reason: 'own' });
    expect(ran).toEqual([]);
    expect(await approve(agentCaller('other', [], ['runs:approve']))).toMatchObject({ ok: true });
    expect(await ended(runs, run, approver)).toMatchObject({ invocation: { status: 'completed' } });
    expect(await approve(LOCAL_OPERATOR)).toEqual({ ok: false, reason: 'not-waiting' });
    expect(ran).toEqual(['hi']);
  });

  test('one that resumes goes on behind its last step when its process dies; what was under way runs again only where that does no harm (J6)', async () => {
    const ran: string[] = [];
    let isFirst = true;
    const stepSkill = (name: string, given: object = {}) =>
      countingSkill({
        name,
        durable: undefined,
        run: async () => {
          ran.push(name);
          // The process that comes to it first never gets beyond it.
          if (name === 'second' && isFirst) {
            isFirst = false;
            await new Promise(() => undefined);
          }
          return { text: name };
        },
        ...given,
      } as never).skill;
    const flow = (name: string, second: string) =>
      defineSkill({
        name,
        description: 'Two steps.',
        category: 'execution',
        input: text,
        output: text,
        durable: { resumes: true },
        run: async (_input, { invoke }) => {
          await invoke('first', { text: 'a' }, { step: 'one' });
          const last = await invoke(second, { text: 'b' }, { step: 'two' });
          return last.success ? { text: 'both' } : failure('INTERNAL_ERROR', { ...last.failure.details });
        },
      });
    const skills = [
      stepSkill('first'),
      stepSkill('second', { annotations: { readOnly: true } }),
      flow('work', 'second'),
    ];
    const engines = await openEngines(skills, 2, { runLeaseSeconds: -1, isGone: () => true });
    const run = await start(engines[0]);
    expect(await ended(engines[1], run)).toMatchObject({ result: { outputPayload: { text: 'both' } } });
    // Each engine takes the other for dead: on a busy machine the second step is taken up more than once.
    expect(ran.slice(0, 3)).toEqual(['first', 'second', 'second']);
    expect(ran.lastIndexOf('first')).toBe(0);
  });

  test('a step that was under way and may do harm twice is not run again: the run ends as interrupted (J5, J6)', async () => {
    const ran: string[] = [];
    const charge = countingSkill({
      name: 'charge',
      durable: undefined,
      run: async () => {
        ran.push('charge');
        return new Promise(() => undefined);
      },
    } as never).skill;
    const flow = defineSkill({
      name: 'work',
      description: 'One step.',
      category: 'execution',
      input: text,
      output: text,
      durable: { resumes: true },
      run: async (_input, { invoke }) => {
        const last = await invoke('charge', { text: 'b' }, { step: 'pay' });
        return last.success ? { text: 'paid' } : failure('INTERNAL_ERROR', { ...last.failure.details });
      },
    });
    const engines = await openEngines([charge, flow], 2, { runLeaseSeconds: -1, isGone: () => true });
    const done = await ended(engines[1], await start(engines[0]));
    expect(done).toMatchObject({ result: { failure: { code: 'INTERNAL_ERROR', details: { interrupted: true } } } });
    expect(ran).toEqual(['charge']);
  });

  test('workflow_coordination whose step was cut off says so in its own failure, beside what was done (J5, J6)', async () => {
    const ran: string[] = [];
    const charge = countingSkill({
      name: 'charge',
      durable: undefined,
      run: async () => {
        ran.push('charge');
        return new Promise(() => undefined);
      },
    } as never).skill;
    const first = countingSkill({ name: 'first', durable: undefined, annotations: { readOnly: true } } as never).skill;
    const skills = [first, charge, workflowCoordination(() => true)];
    const engines = await openEngines(skills, 2, { runLeaseSeconds: -1, isGone: () => true });
    const steps = ['first', 'charge'].map((skill) => ({ id: skill, skill, input: { text: 'a' } }));
    const run = await start(engines[0], { name: 'workflow_coordination', input: { steps } }, LOCAL_OPERATOR);
    const done = await ended(engines[1], run, LOCAL_OPERATOR);
    const details = {
      interrupted: true,
      completed_steps: ['first'],
      failed_steps: [{ id: 'charge', details: { interrupted: true } }],
    };
    expect(done).toMatchObject({ result: { failure: { code: 'INTERNAL_ERROR', details } } });
    expect(ran.length).toBeLessThan(2);
  });

  test('a workflow that is a run has the time of a durable one, and as a call its own (J1, J6)', async () => {
    const flow = defineSkill({
      name: 'work',
      description: 'Waits for longer than its call may.',
      category: 'execution',
      input: text,
      output: text,
      timeoutSeconds: 1,
      durable: { resumes: true },
      run: async () => {
        await sleep(1_300);
        return { text: 'done' };
      },
    });
    const [runs] = await openEngines([flow]);
    expect(await ended(runs, await start(runs))).toMatchObject({ result: { outputPayload: { text: 'done' } } });
    const called = await createRuntime({ skills: [flow] }).invoke({
      name: 'work',
      input: { text: 'hi' },
      caller: agent,
    });
    expect(called).toMatchObject({ success: false, failure: { code: 'TIMEOUT', details: { timeout: 1 } } });
  });

  test('atOnce holds for runs over all engines, others do not wait for them, and each has its turn (N1)', async () => {
    let [inside, most] = [0, 0];
    const second = createLatch();
    const narrow = countingSkill({ limits: { atOnce: 2 } }, async () => {
      inside += 1;
      most = Math.max(most, inside);
      // The first stays until it has company, however long an engine takes to begin another.
      if (inside === 2) second.open();
      await second.opened;
      await sleep(40);
      inside -= 1;
    });
    const wide = countingSkill({ name: 'wide' });
    // SQLite's processes count for themselves (N1).
    const engines = await openEngines([narrow.skill, wide.skill], kind === 'postgres' ? 2 : 1, {}, true);
    const all = await Promise.all(Array.from({ length: 24 }, (_each, n) => start(engines[n % engines.length])));
    const other = await start(engines[0], { name: 'wide' });
    expect(await ended(engines[0], other)).toMatchObject({ invocation: { status: 'completed' } });
    for (const run of all) expect(await ended(engines[0], run)).toMatchObject({ invocation: { status: 'completed' } });
    expect(narrow.ran).toHaveLength(24);
    expect(most).toBe(2);
  });

  test('one caller who asks for many that last leaves room for others (J1)', async () => {
    const held = countingSkill({}, () => new Promise(() => undefined));
    const quick = countingSkill({ name: 'quick' });
    const [runs] = await openEngines([held.skill, quick.skill]);
    await Promise.all(Array.from({ length: 40 }, () => start(runs)));
    await expect.poll(() => held.ran.length).toBe(16);
    const other = agentCaller('other', ['TaskAgent']);
    const run = await start(runs, { name: 'quick' }, other);
    expect(await ended(runs, run, other)).toMatchObject({ invocation: { status: 'completed' } });
    expect(held.ran).toHaveLength(16);
  });

  test('progress is seen from elsewhere while it runs (J2)', async () => {
    let letGo = () => {};
    const { skill } = countingSkill({
      run: async (_input: unknown, { progress }: { progress: (done: number, total: number) => void }) => {
        progress(3, 7);
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
        return { text: 'x' };
      },
    } as never);
    const engines = await openEngines([skill], 2);
    const run = await start(engines[0]);
    await expect
      .poll(async () => (await engines[1]?.find(run.invocation.id, agent))?.progress)
      .toMatchObject({ done: 3, total: 7 });
    letGo();
    expect(await ended(engines[1], run)).toMatchObject({ invocation: { status: 'completed' } });
  });
});
