// The typed skills for a command that only shows them: loaded when --config or --builtin names some, never run.
import type { Settings } from '../../settings/config.ts';
import type { DefinitionProblem } from '../../skills/define/definition-problems.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { toOneLine } from '../../text/one-line.ts';
import { ok, type Result } from '../../values/result.ts';
import type { CommandContext } from './command.ts';

export interface ListedTyped {
  /** With what the operator's file adds: folders, names to leave out. */
  readonly settings: Settings;
  readonly skills: readonly RegisteredSkill[];
  /** Definitions that were refused. */
  readonly problems: readonly DefinitionProblem[];
  /** Absent where no typed skills were asked for. */
  readonly runtime: Runtime | undefined;
  close(): Promise<void>;
}

export async function openListedTyped({
  settings,
}: Pick<CommandContext, 'settings'>): Promise<Result<ListedTyped, string>> {
  if (settings.configFile === undefined && settings.builtin === undefined) return ok(noneListed(settings));
  const { startToldSkills } = await import('./typed-side.ts');
  const quiet = { log: () => undefined, hasBuiltin: false };
  const started = await startToldSkills(settings, quiet, () => undefined);
  if (!started.ok) return started;
  const { runtime, close } = started.value;
  return ok({ settings: started.value.settings, skills: runtime.skills, problems: runtime.problems, runtime, close });
}

const noneListed = (settings: Settings): ListedTyped => ({
  settings,
  skills: [],
  problems: [],
  runtime: undefined,
  close: async () => undefined,
});

/** Opens, shows, closes; says what was refused, or why nothing could be loaded. `show` gets the context with the file's settings. */
export async function withListedTyped<T>(
  context: CommandContext,
  show: (typed: ListedTyped, context: CommandContext) => Promise<T>,
): Promise<T | 1> {
  const opened = await openListedTyped(context);
  if (!opened.ok) {
    context.errors.write(`${toOneLine(opened.failure)}\n`);
    return 1;
  }
  const typed = opened.value;
  try {
    const answer = await show(typed, withSettings(context, typed.settings));
    for (const { message, fix } of typed.problems) context.errors.write(`${toOneLine(`${message}. ${fix}`)}\n`);
    return answer;
  } finally {
    await typed.close();
  }
}

/** The outputs are opened at first use: they are handed on, not copied. */
export function withSettings(context: CommandContext, settings: Settings): CommandContext {
  if (settings === context.settings) return context;
  return Object.create(context, { settings: { value: settings, enumerable: true } }) as CommandContext; // true: all else is inherited
}
