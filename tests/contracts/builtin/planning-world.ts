// The skills that plan, coordinate and suggest, beside the other built-in ones and those of a test, over stores in memory.
import { randomUUID } from 'node:crypto';
import type { AiEndpoint } from '../../../src/builtin/ai/ai-endpoint.ts';
import { createBuiltinSkills } from '../../../src/builtin/builtin-skills.ts';
import type { FindSkills, FoundSkill } from '../../../src/builtin/find-skills.ts';
import type { Task, TaskStore } from '../../../src/builtin/task-store.ts';
import type { UserTokens } from '../../../src/builtin/user-tokens.ts';
import type { AnySkill } from '../../../src/execution/define-skill.ts';
import { createMemoryLog } from '../../../src/execution/fixtures/memory-log.ts';
import type { JsonRecord } from '../../../src/execution/invocation.ts';
import { createRuntime, type Runtime } from '../../../src/execution/runtime.ts';
import type { InvokeRequest } from '../../../src/execution/session.ts';
import { createUserTokens } from '../../../src/identity/user-tokens.ts';
import { createMemoryTasks } from '../../../src/store/memory-tasks.ts';
import { createMemoryUsers } from '../../../src/store/memory-users.ts';
import { taskOf, userOf } from '../stores/accounts-world.ts';
import { SIGNING_SECRET } from './builtin-world.ts';

export const NOW = new Date('2026-11-15T12:00:00.000Z');

export interface PlanningOptions {
  readonly ai?: AiEndpoint;
  /** What a search finds. */
  readonly found?: readonly FoundSkill[];
  /** Searches instead; it may look at the typed skills that there are. */
  readonly search?: (runtime: Runtime) => FindSkills;
  readonly skills?: readonly AnySkill[];
  readonly tasks?: (tasks: TaskStore) => TaskStore;
}

export function openPlanning(options: PlanningOptions = {}) {
  const { ai, found = [], skills = [], tasks: change = (tasks: TaskStore) => tasks, search } = options;
  const users = createMemoryUsers();
  const stored = createMemoryTasks(users);
  const clock = { ms: 0 };
  const log = createMemoryLog();
  const lines: object[] = [];
  const searched: unknown[][] = [];
  const runtime: Runtime = createRuntime({
    skills: [
      ...createBuiltinSkills({
        tasks: change(stored),
        users,
        tokens: openTokens(),
        now: () => NOW,
        monotonicMs: () => clock.ms,
        planning: {
          ai,
          findSkills: async (...asked) => {
            searched.push(asked);
            return search === undefined ? found : await search(runtime)(...asked);
          },
          isSkill: (name) => runtime.find(name) !== undefined,
        },
      }),
      ...skills,
    ],
    invocationLog: log,
    log: (line) => lines.push(line),
  });
  if (runtime.problems.length > 0) throw new Error(JSON.stringify(runtime.problems));
  const invoke = (name: string, input: unknown, more: Partial<InvokeRequest> = {}) =>
    runtime.invoke({ name, input, ...more });
  return {
    runtime,
    log,
    lines,
    clock,
    searched,
    tasks: stored,
    invoke,
    async output(name: string, input: unknown): Promise<JsonRecord> {
      const answer = await invoke(name, input);
      if (!answer.success) throw new Error(`${name}: ${answer.failure.message}`);
      return answer.outputPayload;
    },
    async failure(name: string, input: unknown, more: Partial<InvokeRequest> = {}) {
      const answer = await invoke(name, input, more);
      if (answer.success) throw new Error(`${name} succeeded: ${JSON.stringify(answer.outputPayload)}`);
      return answer.failure;
    },
    /** Everything that was kept or said, as one text. */
    said: () => JSON.stringify([log.begun, log.ended, lines]),
    async createUser(): Promise<string> {
      const user = userOf();
      await users.create(user);
      return user.id;
    },
    async createTask(userId: string, given: Partial<Task> = {}): Promise<string> {
      const task = taskOf(userId, { id: randomUUID(), createdAt: NOW, updatedAt: NOW, ...given });
      await stored.create(task);
      return task.id;
    },
  };
}

export type Planning = ReturnType<typeof openPlanning>;

function openTokens(): UserTokens {
  const tokens = createUserTokens({ signingSecret: SIGNING_SECRET, secrets: undefined, now: () => NOW });
  if (!tokens.ok) throw new Error(tokens.failure);
  return tokens.value;
}
