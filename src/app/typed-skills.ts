// Typed skills, ready to run: the operator's own and the built-in ones, over the store that records them.
// Loaded only when there are to be any: nothing of it is on the start path of a server of documents.
import { monotonicMs } from '../async/monotonic-clock.ts';
import { type Closing, openTogether } from '../async/open-together.ts';
import { ALL_BUILTIN_NAMES } from '../builtin/builtin-names.ts';
import type { FindSkills, IsSkill } from '../builtin/ports/find-skills.ts';
import { createPasswordParts, type PasswordParts } from '../builtin/users/password-check.ts';
import { normaliseName } from '../document/names.ts';
import { agentCaller, type Caller, mayInvoke } from '../identity/caller.ts';
import type { VerifyGranted } from '../identity/granted-tokens.ts';
import { createUserTokens, type UserTokens } from '../identity/user-tokens.ts';
import { RESERVED_NAMES } from '../operations/documents.ts';
import type { SkillHit } from '../repertoire/skill-search.ts';
import type { Settings } from '../settings/config.ts';
import type { UserConfig } from '../settings/user-config.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import { guardProcess } from '../skills/run/guard-process.ts';
import { createCountedRuntime, type Runtime } from '../skills/run/runtime.ts';
import { findNearest } from '../text/nearest.ts';
import { toOneLine } from '../text/one-line.ts';
import { ok, type Result } from '../values/result.ts';
import { withApproval, withoutDurable } from './approved-skills.ts';
import type { BuiltinParts } from './builtin-over-store.ts';
import { type Counting, openCounting } from './counting.ts';
import { toFoundSkill } from './found-skill.ts';
import { createProgramRuns, type ProgramRuns } from './open-runs.ts';
import { type Store, startStore, tellSurprises } from './store.ts';

export interface TypedSkills {
  /** With what the operator's file adds. */
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly store: Store;
  /** Absent with `--no-log`: nothing survives there (X7). */
  readonly runs: ProgramRuns | undefined;
  /** Of the users of the built-in skills. */
  readonly userTokens: UserTokens;
  /** From now on `token_validation` checks users' tokens with this, as the routes do. */
  checkTokensWith(verify: VerifyGranted): void;
  /** Checks the passwords of users, also for signing in. */
  readonly passwords: PasswordParts;
  /** What limits callers. */
  readonly counting: Counting;
  /** Of all that are defined here, those that are left out included. */
  readonly names: readonly string[];
  /** Lets running calls end, then closes the store. */
  close(): Promise<void>;
}

/** Searches all skills, of both kinds; it is handed the typed ones. */
export type SearchSkills = (
  query: string,
  limit: number,
  caller: Caller,
  typed: Pick<TypedSkills, 'settings' | 'runtime'>,
) => Promise<readonly SkillHit[]>;

export interface TypedOptions {
  readonly log: RuntimeLog;
  /** Whether the built-in skills are there when `--builtin` is not given (B6). */
  readonly hasBuiltin: boolean;
  /** For the built-in skills that plan. */
  readonly search: SearchSkills;
  /** What a program gives in place of a configuration file. */
  readonly own?: UserConfig | undefined;
  readonly store?: Parameters<typeof startStore>[1];
  /** Others call it at any time; left out: its own host or command alone does. */
  readonly isServer?: boolean | undefined;
  /** Which durable runs this process carries out; none when left out. */
  readonly takesRuns?: 'all' | 'own' | 'none' | undefined;
}

/** How long running calls are given at the end (F11). */
const GRACE_MS = 3_000;

export const startTypedSkills = (given: Settings, options: TypedOptions): Promise<Result<TypedSkills, string>> =>
  openTogether((closing) => openTypedSkills(given, options, closing));

async function openTypedSkills(
  given: Settings,
  options: TypedOptions,
  closing: Closing,
): Promise<Result<TypedSkills, string>> {
  const { log, hasBuiltin, search } = options;
  const config = options.own ? ok({ own: options.own, settings: given }) : await loadConfig(given, log);
  if (!config.ok) return config;
  const { own, settings } = config.value;
  const store = await startStore(settings, { ...tellSurprises(log), ...options.store });
  closing.add(() => store.close());
  const { signingSecret } = settings.http;
  const counting = await openCounting(store, { log, secret: signingSecret, isServer: options.isServer ?? false });
  closing.add(() => counting.close());
  const userTokens = createUserTokens({ signingSecret, secrets: store.secrets, now: () => new Date() });
  if (!userTokens.ok) return userTokens;
  // Skills that plan ask about all skills, themselves included. They ask when they run: the runtime below is there by then.
  const findSkills: FindSkills = async (query, limit, caller) =>
    (await search(query, limit, caller, { settings, runtime })).map(toFoundSkill);
  const isSkill: IsSkill = (name) => runtime.find(name) !== undefined;
  let verifyGranted: VerifyGranted | undefined;
  const passwords = createPasswordParts(store.users, counting.passwordTries, monotonicMs);
  const builtin = await chooseBuiltin(settings, hasBuiltin, {
    store,
    tokens: userTokens.value,
    verifyGranted: () => verifyGranted,
    passwords,
    ownership: own.ownership,
    planning: { ai: settings.ai, findSkills, isSkill },
  });
  const { skills, problems } = keepable(withoutNamed(own.skills ?? [], settings.without), own, settings);
  const ours = keepable(withoutNamed(builtin, settings.without), own, settings);
  const created = createCountedRuntime(
    {
      skills,
      builtin: () => ours.skills,
      reserved: RESERVED_NAMES,
      // Also those that are not served here: a file means the same to `mcp`, which serves none, and to `serve` (X1).
      replaceable: ALL_BUILTIN_NAMES,
      agents: own.agents ?? [],
      // What outlives a call (durable runs, idempotency keys) is kept in these rows: without them it has to be refused (X7).
      invocationLog: settings.isLogged ? store.invocations : undefined,
      policy: settings.logPolicy,
      callerPerMinute: own.limits?.callerPerMinute,
      log,
    },
    counting,
  );
  const refused = [...problems, ...ours.problems];
  const runtime: Runtime = refused.length === 0 ? created : { ...created, problems: [...created.problems, ...refused] };
  const runs = settings.isLogged ? openRuns(created, { store, own, signingSecret, options }) : undefined;
  closing.add(() => closeInTime(runtime, runs));
  const names = [...(own.skills ?? []), ...builtin].map((skill: Unchecked) => String(skill?.name));
  const parts = { settings, runtime, store, runs, userTokens: userTokens.value, passwords, counting, names };
  const checkTokensWith = (verify: VerifyGranted) => {
    verifyGranted = verify;
  };
  return ok({ ...parts, checkTokensWith, close: closing.close });
}

interface RunsOptions {
  readonly store: Store;
  readonly own: UserConfig;
  readonly signingSecret: string | undefined;
  readonly options: TypedOptions;
}

function openRuns(runtime: Runtime, { store, own, signingSecret, options }: RunsOptions): ProgramRuns {
  const { log, takesRuns: takes = 'none' } = options;
  return createProgramRuns({ runtime, store, signingSecret, takes, schedules: own.schedules ?? [], log });
}

/** Runs before the runtime: what is cancelled by it could not be given back any more. Both together take no longer (F11). */
async function closeInTime(runtime: Runtime, runs: ProgramRuns | undefined): Promise<void> {
  const beganMs = monotonicMs();
  try {
    await runs?.close(GRACE_MS);
  } finally {
    await runtime.close(Math.max(0, GRACE_MS - (monotonicMs() - beganMs)));
  }
}

/** What the operator's settings make of the definitions. */
function keepable(skills: readonly AnySkill[], { approvalFor }: UserConfig, { isLogged }: Settings) {
  const approved = withApproval(skills, approvalFor);
  return isLogged ? { skills: approved, problems: [] } : withoutDurable(approved);
}

/** A sentence for each definition that was refused. */
export const problemSentences = ({ problems }: Pick<Runtime, 'problems'>): readonly string[] =>
  problems.map(({ message, fix }) => `${message}. ${fix}`);

/** Why the agent that `--agent` names may invoke no typed skill: a mistyped name would show only in refusals. */
export function explainNoSkills({ skills }: Pick<Runtime, 'skills'>, agent: string | undefined): string | undefined {
  if (agent === undefined || skills.length === 0) return undefined;
  const caller = agentCaller(agent);
  if (skills.some(({ access }) => mayInvoke(caller, access))) return undefined;
  const names = [...new Set(skills.flatMap(({ access }) => access.assignedTo))];
  const [nearest] = findNearest(agent, names, 1);
  const advice = nearest === undefined ? `they are for ${names.join(', ')}` : `did you mean "${nearest}"?`;
  return `No typed skill may be invoked by the agent "${toOneLine(agent, 64)}": ${advice}`;
}

/** Executes the file that the operator named, if there is one. From then on faults in the background do not end the process. */
async function loadConfig(
  settings: Settings,
  log: RuntimeLog,
): Promise<Result<{ readonly own: UserConfig; readonly settings: Settings }, string>> {
  const guard = () => void guardProcess(log);
  if (settings.configFile === undefined) {
    guard();
    return ok({ own: {}, settings });
  }
  const { applyUserConfig, loadUserConfigFile } = await import('../settings/user-config.ts');
  const own = await loadUserConfigFile(settings.configFile, { guard });
  return own.ok ? ok({ own: own.value, settings: applyUserConfig(settings, own.value) }) : own;
}

async function chooseBuiltin(
  { builtin }: Settings,
  hasBuiltin: boolean,
  parts: BuiltinParts,
): Promise<readonly AnySkill[]> {
  const names = builtin ?? (hasBuiltin ? 'all' : []);
  if (names.length === 0) return [];
  const { createBuiltinOverStore } = await import('./builtin-over-store.ts');
  return createBuiltinOverStore(names, parts);
}

/** The operator's file may hold anything: what is no skill is refused when it is registered. */
type Unchecked = Partial<AnySkill> | null | undefined;

/** What the operator left out is in no listing and cannot be invoked, of either kind (C). */
function withoutNamed(skills: readonly AnySkill[], without: readonly string[]): readonly AnySkill[] {
  const names = new Set(without.map(normaliseName));
  return skills.filter((skill: Unchecked) => !names.has(normaliseName(String(skill?.name))));
}
