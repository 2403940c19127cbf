// An hour in a log, and a month in which documents were read, for pictures of the dashboard: the same figures every time.
import { createHash, randomUUID } from 'node:crypto';
import type { Load } from '../src/repertoire/load-log.ts';
import type { FailureCode } from '../src/skills/define/failure.ts';
import type { Invocation, InvocationResult } from '../src/skills/define/invocation.ts';
import { openStore } from '../src/store/store.ts';

interface Habit {
  readonly skill: string;
  readonly agent: string;
  /** How often, against the others. */
  readonly weight: number;
  readonly usualMs: number;
  /** Of a hundred runs. */
  readonly failing: number;
  readonly code: FailureCode;
}

const HABITS: readonly Habit[] = [
  { skill: 'task_creation', agent: 'TaskAgent', weight: 9, usualMs: 8, failing: 2, code: 'VALIDATION_ERROR' },
  { skill: 'task_retrieval', agent: 'TaskAgent', weight: 14, usualMs: 4, failing: 0, code: 'NOT_FOUND' },
  { skill: 'task_update', agent: 'TaskAgent', weight: 6, usualMs: 9, failing: 5, code: 'NOT_FOUND' },
  { skill: 'token_validation', agent: 'AuthAgent', weight: 12, usualMs: 3, failing: 0, code: 'UNAUTHORIZED' },
  { skill: 'suggestion_generation', agent: 'AIAgent', weight: 3, usualMs: 640, failing: 9, code: 'TIMEOUT' },
  {
    skill: 'request_routing',
    agent: 'OrchestratorAgent',
    weight: 5,
    usualMs: 18,
    failing: 1,
    code: 'VALIDATION_ERROR',
  },
  { skill: 'user_creation', agent: 'UserAgent', weight: 1, usualMs: 90, failing: 6, code: 'VALIDATION_ERROR' },
];

const DOCUMENTS = ['commit-messages', 'sql-review', 'release-notes', 'accessibility-check', 'csv-cleaning'];
const CLIENTS = ['claude-code', 'codex', 'cursor'];

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DAYS = 30;
const RUNS_PER_MINUTE = 11;
const MESSAGE = 'Resource not found: task 7c9e6679';

export async function fillSampleLog(dataDirectory: string, now: Date): Promise<void> {
  const store = openStore({ kind: 'sqlite', dataDirectory });
  const draw = createDraw();
  try {
    await store.migrate();
    const writes: Promise<void>[] = [];
    const loads: Load[] = [];
    for (let at = now.getTime() - HOUR_MS; at < now.getTime() - 20_000; at += 60_000) {
      const busy = 0.6 + 0.4 * Math.sin(at / 600_000) + 0.4 * draw();
      for (let run = 0; run < RUNS_PER_MINUTE * busy; run++) {
        const { invocation, result } = makeRun(draw, at + draw() * 55_000);
        writes.push(store.invocations.begin(invocation), store.invocations.end(invocation, result));
      }
      for (let read = 0; read < 5 * draw(); read++) loads.push(makeLoad(draw, at + draw() * 55_000));
    }
    for (let day = 1; day < DAYS; day++)
      // Hardly anything at weekends.
      for (let read = 0; read < (day % 7 < 2 ? 2 : 12) * draw(); read++)
        loads.push(makeLoad(draw, now.getTime() - (day + draw() / 2) * DAY_MS));
    await Promise.all(writes);
    await store.loads.record(loads);
  } finally {
    await store.close();
  }
}

/** Numbers from 0 to 1 that are the same in every run. */
function createDraw(): () => number {
  let state = 20_261_115;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function makeRun(draw: () => number, at: number): { invocation: Invocation; result: InvocationResult } {
  const { skill, agent, usualMs, failing, code } = pickHabit(draw);
  const timestamp = new Date(Math.floor(at));
  const invocation: Invocation = {
    id: randomUUID(),
    skillName: skill,
    inputPayload: { user_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
    invokingAgent: agent,
    correlationId: randomUUID(),
    timestamp,
    status: 'running',
  };
  // Mostly as usual, now and then much longer.
  const durationMs = Math.round(usualMs * (0.5 + draw()) * (draw() < 0.06 ? 5 : 1));
  const ending = { invocationId: invocation.id, durationMs, timestamp: new Date(timestamp.getTime() + durationMs) };
  if (draw() * 100 >= failing)
    return { invocation, result: { ...ending, success: true, outputPayload: { done: true } } };
  const failure = { code, message: MESSAGE, details: undefined };
  return { invocation, result: { ...ending, success: false, failure } };
}

function pickHabit(draw: () => number): Habit {
  let left = draw() * HABITS.reduce((sum, { weight }) => sum + weight, 0);
  for (const habit of HABITS) {
    left -= habit.weight;
    if (left <= 0) return habit;
  }
  return HABITS[0] as Habit;
}

function makeLoad(draw: () => number, at: number) {
  const skillName = DOCUMENTS[Math.floor(draw() ** 2 * DOCUMENTS.length)] ?? 'commit-messages';
  return {
    skillName,
    digest: `sha256:${createHash('sha256').update(skillName).digest('hex')}`,
    client: CLIENTS[Math.floor(draw() * CLIENTS.length)] ?? 'codex',
    ...(skillName === 'sql-review' && draw() < 0.4
      ? { surface: 'read_skill_file', path: 'references/queries.md' }
      : { surface: 'skill' }),
    loadedAt: new Date(Math.floor(at)),
  };
}
