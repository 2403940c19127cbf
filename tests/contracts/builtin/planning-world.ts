// The skills that plan, coordinate and suggest, beside the other built-in ones and those of a test, over stores in memory.

import type { AiEndpoint } from '../../../src/builtin/ai/chat-client.ts';
import { createBuiltinSkills } from '../../../src/builtin/builtin-skills.ts';
import type { FindSkills, FoundSkill } from '../../../src/builtin/ports/find-skills.ts';
import type { Task, TaskStore } from '../../../src/builtin/ports/task-store.ts';
import type { TokenIssuer } from '../../../src/builtin/ports/token-issuer.ts';
import { createUserTokens } from '../../../src/identity/user-tokens.ts';
import type { JsonRecord } from '../../../src/skills/check/json-schema.ts';
import type { AnySkill } from '../../../src/skills/define/define-skill.ts';
import { createMemoryLog, type MemoryLog } from '../../../src/skills/fixtures/memory-log.ts';
import type { InvokeRequest } from '../../../src/skills/run/active-invocation.ts';
import { createRuntime, type Runtime } from '../../../src/skills/run/runtime.ts';
import { createMemoryPeople } from '../../../src/store/fixtures/memory-people.ts';
import { createMemoryTasks } from '../../../src/store/fixtures/memory-tasks.ts';
import { createMemoryUsers } from '../../../src/store/fixtures/memory-users.ts';
import { type Accounts, taskOf, userOf } from '../stores/accounts-world.ts';
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
  const users = createMemoryUsers();
  const tasks = createMemoryTasks(users);
  const log = createMemoryLog();
  const lines: object[] = [];
  const { runtime, searched } = openRuntime(options, { ...createMemoryPeople(users), tasks }, { log, lines });
  const invoke = (name: string, input: unknown, more: Partial<InvokeRequest> = {}) =>
    runtime.invoke({ name, input, ...more });
  return {
    runtime,
    log,
    lines,
    searched,
    tasks,
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
      const task = taskOf(userId, { createdAt: NOW, updatedAt: NOW, ...given });
      await tasks.create(task);
      return task.id;
    },
  };
}

interface Kept {
  readonly log: MemoryLog;
  readonly lines: object[];
}

function openRuntime(
  { ai, found = [], skills = [], tasks: change, search }: PlanningOptions,
  stores: Accounts,
  kept: Kept,
) {
  const searched: unknown[][] = [];
  const findSkills: FindSkills = async (...asked) => {
    searched.push(asked);
    return search === undefined ? found : await search(runtime)(...asked);
  };
  const builtin = createBuiltinSkills({
    users: stores.users,
    tasks: change === undefined ? stores.tasks : change(stores.tasks),
    tokens: openTokens(),
    now: () => NOW,
    monotonicMs: () => 0,
    planning: { ai, findSkills, isSkill: (name) => runtime.find(name) !== undefined },
  });
  const runtime: Runtime = createRuntime({
    skills: [...builtin, ...skills],
    invocationLog: kept.log,
    log: (line) => kept.lines.push(line),
  });
  if (runtime.problems.length > 0) throw new Error(JSON.stringify(runtime.problems));
  return { runtime, searched };
}

export type Planning = ReturnType<typeof openPlanning>;

function openTokens(): TokenIssuer {
  const tokens = createUserTokens({ signingSecret: SIGNING_SECRET, secrets: undefined, now: () => NOW });
  if (!tokens.ok) throw new Error(tokens.failure);
  return tokens.value;
}
