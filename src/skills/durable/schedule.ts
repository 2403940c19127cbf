// A schedule of the configuration, and what is wrong with one (J7). A bad one costs itself alone.
import { counted } from '../../text/counted.ts';
import { messageOf } from '../../values/error-text.ts';
import { isPlainObject } from '../../values/field-rules.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { reportViolations } from '../check/violation.ts';
import type { FailureCode } from '../define/failure.ts';
import type { InvocationStatus } from '../define/invocation.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import { type NextAfter, parseCron } from './cron-times.ts';

/**
 * A typed skill that runs at its times. Over all servers on one store each time makes one run, as the operator, and however
 * many were missed while none ran are made up by one.
 *
 * @example
 * const nightly: Schedule = { name: 'nightly', skill: 'greet', input: { name: 'Ada' }, cron: '0 3 * * *', timezone: 'UTC' };
 * export default defineConfig({ skills: [greet], schedules: [nightly] });
 */
export interface Schedule {
  /** 1 to 64 letters, digits, `_`, `-` or `.`; its runs are in the log as `schedule:NAME`. */
  readonly name: string;
  /** The name of a typed skill. */
  readonly skill: string;
  /** `{}` when left out. */
  readonly input?: unknown;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** `Europe/Berlin`; `UTC` when left out. */
  readonly timezone?: string;
}

/** How a schedule stands. */
export interface ScheduleState {
  readonly name: string;
  readonly skill: string;
  readonly cron: string;
  readonly timezone: string;
  /** Absent for one that is not used. */
  readonly nextAt: Date | undefined;
  readonly lastAt: Date | undefined;
  readonly lastInvocationId: string | undefined;
  /** How the last run stands; absent where the log has no more of it. */
  readonly lastStatus: InvocationStatus | undefined;
  readonly lastFailureCode: FailureCode | undefined;
  /** Why it is not used. */
  readonly problem: string | undefined;
}

/** One that can be used. */
export interface UsableSchedule extends Required<Omit<Schedule, 'input'>> {
  readonly input: unknown;
  /** Changes when its times do: those before are not made up. */
  readonly definition: string;
  readonly nextAfter: NextAfter;
}

interface BadSchedule {
  readonly name: string;
  readonly given: Partial<Schedule>;
  /** One sentence. */
  readonly problem: string;
}

export interface ReadSchedules {
  readonly usable: readonly UsableSchedule[];
  readonly bad: readonly BadSchedule[];
}

/** The file may hold anything. */
export function parseSchedules(
  given: readonly unknown[],
  find: (name: string) => RegisteredSkill | undefined,
): ReadSchedules {
  const usable: UsableSchedule[] = [];
  const bad: BadSchedule[] = [];
  const names = new Map<string, number>();
  for (const each of given) names.set(nameOf(each), (names.get(nameOf(each)) ?? 0) + 1);
  for (const [at, each] of given.entries()) {
    const name = nameOf(each) === '' ? `number ${at + 1}` : nameOf(each);
    const isRepeated = nameOf(each) !== '' && (names.get(nameOf(each)) ?? 0) > 1;
    const repeated = isRepeated ? fail('several schedules have this name; rename them') : undefined;
    const read = repeated ?? parseSchedule(each, find);
    if (read.ok) usable.push(read.value);
    else bad.push(badSchedule(name, each, read.failure));
  }
  return { usable, bad };
}

const badSchedule = (name: string, given: unknown, what: string): BadSchedule => ({
  name,
  given: isPlainObject(given) ? given : {},
  problem: `Cannot use the schedule ${JSON.stringify(name.slice(0, 80))}: ${what}`,
});

const nameOf = (given: unknown): string =>
  isPlainObject(given) && 'name' in given && typeof given.name === 'string' ? given.name : '';

const FIELDS = ['name', 'skill', 'input', 'cron', 'timezone'];

/** The failure is what is the case and what is wanted. */
function parseSchedule(
  given: unknown,
  find: (name: string) => RegisteredSkill | undefined,
): Result<UsableSchedule, string> {
  if (!isPlainObject(given)) return fail('it is not an object; write { name, skill, input, cron, timezone }');
  const { name, skill, input = {}, cron, timezone = 'UTC' }: Partial<Schedule> = given;
  const stranger = Object.keys(given).find((field) => !FIELDS.includes(field));
  if (stranger !== undefined)
    return fail(`it has the unknown field "${stranger.slice(0, 80)}"; use ${FIELDS.join(', ')}`);
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
    return fail('it has no name of 1 to 64 letters, digits, _, - or .');
  const found = typeof skill === 'string' ? find(skill) : undefined;
  if (typeof skill !== 'string' || found === undefined)
    return fail(`there is no typed skill ${JSON.stringify(String(skill).slice(0, 80))}; name one that is served`);
  const checked = found.input.check(input);
  if (!checked.ok) return fail(`its input does not fit the skill: ${reportViolations(checked.failure).details}`);
  if (typeof cron !== 'string' || typeof timezone !== 'string') return fail('its cron and its timezone must be texts');
  const times = parseTimes(cron, timezone);
  if (!times.ok) return times;
  const definition = JSON.stringify([skill, cron, timezone]);
  return ok({ name, skill, input, cron, timezone, definition, nextAfter: times.value });
}

const WANTED = 'write five fields like "0 3 * * *"';

function parseTimes(cron: string, timezone: string): Result<NextAfter, string> {
  const shown = JSON.stringify(cron.slice(0, 80));
  const count = cron.match(/\S+/g)?.length ?? 0;
  // `@daily` and its like are one word.
  if (count !== 5 && !cron.trim().startsWith('@'))
    return fail(`its cron cannot be read (it has ${counted(count, 'field')}); ${WANTED}`);
  try {
    const nextAfter = parseCron(cron, timezone);
    return nextAfter(new Date()) === undefined ? fail(`its cron ${shown} has no time in the future`) : ok(nextAfter);
  } catch (error) {
    const isZone = !isTimezone(timezone);
    const what = isZone
      ? `its timezone ${JSON.stringify(timezone.slice(0, 80))} is not known; write one like Europe/Berlin`
      : undefined;
    return fail(what ?? `its cron cannot be read (${messageOf(error).slice(0, 200)}); ${WANTED}`);
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
