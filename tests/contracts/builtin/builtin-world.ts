// The built-in skills over a real store, for tests: what they answer, what they log, a clock that the test moves.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { createBuiltinSkills } from '../../../src/builtin/builtin-skills.ts';
import { createPasswords } from '../../../src/builtin/users/passwords.ts';
import type { Caller } from '../../../src/identity/caller.ts';
import { createUserTokens } from '../../../src/identity/user-tokens.ts';
import type { JsonRecord } from '../../../src/skills/check/json-schema.ts';
import type { SkillAnswer } from '../../../src/skills/define/invocation.ts';
import { createMemoryLog, type MemoryLog } from '../../../src/skills/fixtures/memory-log.ts';
import { createRuntime, type Runtime } from '../../../src/skills/run/runtime.ts';
import { type Accounts, createAccounts, STORE_KINDS, userOf } from '../stores/accounts-world.ts';
import { createStoreWorld } from '../stores/store-world.ts';

export const KINDS = STORE_KINDS;

export const SIGNING_SECRET = 'a secret for tests, longer than 32 bytes';

/** Where every test's clock begins. */
export const NOW = new Date('2026-11-15T10:00:00.123Z');

export const PASSWORD = 'correct horse';

/** Made once: it takes longer than most tests. */
let passwordHash: Promise<string> | undefined;

export interface Builtin extends Accounts {
  readonly runtime: Runtime;
  readonly log: MemoryLog;
  /** What the program would say on standard error. */
  readonly lines: readonly object[];
  readonly clock: { now: Date; monotonicMs: number };
  invoke(name: string, input: unknown, caller?: Caller): Promise<SkillAnswer>;
  /** The output of a call that must succeed. */
  output(name: string, input: unknown): Promise<JsonRecord>;
  /** `CODE message` of a call that must fail. */
  failure(name: string, input: unknown): Promise<string>;
  /** With PASSWORD. Straight into the store. */
  createUser(email?: string): Promise<string>;
  createTask(userId: string, given?: object): Promise<string>;
}

/** The built-in skills of one test file, with its hooks: called at its top, they work from the first hook on. */
export function useBuiltinWorld(): Omit<BuiltinWorld, 'end'> {
  let started: BuiltinWorld | undefined;
  beforeAll(() => {
    started = createBuiltinWorld();
  });
  afterAll(() => started?.end());
  const world = (): BuiltinWorld => {
    if (started === undefined) throw new Error('The stores are not started yet: use them in a hook or a test');
    return started;
  };
  return { open: (kind) => world().open(kind), closeAll: () => world().closeAll() };
}

interface BuiltinWorld {
  open(kind: (typeof KINDS)[number]): Promise<Builtin>;
  closeAll(): Promise<void>;
  end(): Promise<void>;
}

function createBuiltinWorld(): BuiltinWorld {
  const stores = createStoreWorld({ url: inject('postgresUrl') });
  const openAccounts = createAccounts(stores);
  let runtimes: Runtime[] = [];
  const closeAll = async () => {
    await Promise.all(runtimes.map((runtime) => runtime.close()));
    runtimes = [];
    await stores.closeAll();
  };
  return {
    async open(kind) {
      const builtin = openBuiltin(await openAccounts(kind));
      runtimes.push(builtin.runtime);
      return builtin;
    },
    closeAll,
    async end() {
      await closeAll();
      await stores.end();
    },
  };
}

function openBuiltin(accounts: Accounts): Builtin {
  const clock = { now: NOW, monotonicMs: 0 };
  const now = () => clock.now;
  const tokens = createUserTokens({ signingSecret: SIGNING_SECRET, secrets: undefined, now });
  if (!tokens.ok) throw new Error(tokens.failure);
  const skills = createBuiltinSkills({ ...accounts, tokens: tokens.value, now, monotonicMs: () => clock.monotonicMs });
  const log = createMemoryLog();
  const lines: object[] = [];
  const runtime = createRuntime({ skills, invocationLog: log, log: (line) => lines.push(line) });
  if (runtime.problems.length > 0) throw new Error(JSON.stringify(runtime.problems));
  const invoke: Builtin['invoke'] = (name, input, caller) => runtime.invoke({ name, input, caller });
  const output: Builtin['output'] = async (name, input) => {
    const answer = await invoke(name, input);
    if (!answer.success) throw new Error(`${name}: ${answer.failure.message}`);
    return answer.outputPayload;
  };
  return {
    users: accounts.users,
    people: accounts.people,
    tasks: accounts.tasks,
    runtime,
    log,
    lines,
    clock,
    invoke,
    output,
    async failure(name, input) {
      const answer = await invoke(name, input);
      if (answer.success) throw new Error(`${name} succeeded: ${JSON.stringify(answer.outputPayload)}`);
      return `${answer.failure.code} ${answer.failure.message}`;
    },
    async createUser(email = `${randomUUID()}@example.org`) {
      passwordHash ??= createPasswords().hash(PASSWORD, new AbortController().signal);
      const user = userOf({ email, passwordHash: await passwordHash });
      await accounts.users.create(user);
      return user.id;
    },
    createTask: async (userId, given = {}) =>
      String((await output('task_creation', { title: 'Water the plants', user_id: userId, ...given })).task_id),
  };
}
