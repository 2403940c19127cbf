// The typed skills for a command that only shows them: loaded when --config or --builtin names some, never run.
import type { Issue } from '../../document/issue.ts';
import type { Settings } from '../../settings/config.ts';
import type { DefinitionProblem } from '../../skills/define/definition-problems.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { toOneLine } from '../../text/one-line.ts';
import { ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { exitSaying } from './terminal/output.ts';

export interface TypedDefinitions {
  /** With what the operator's file adds: folders, names to leave out. */
  readonly settings: Settings;
  readonly skills: readonly RegisteredSkill[];
  /** Why a definition, or the whole file, cannot be used. */
  readonly refused: readonly Issue[];
  /** Absent where no typed skills were asked for. */
  readonly runtime: Runtime | undefined;
  close(): Promise<void>;
}

type Asked = Pick<CommandContext, 'settings'>;

/** A file that cannot be executed is an issue like those of its definitions. */
export async function openTypedDefinitions({ settings }: Asked): Promise<TypedDefinitions> {
  const opened = await open(settings);
  return opened.ok ? opened.value : { ...noneOf(settings), refused: [unloadedIssue(opened.failure)] };
}

/** For commands that show skills: says what was refused, or why nothing could be loaded. `show` gets the file's settings. */
export async function withTypedDefinitions(
  context: CommandContext,
  show: (typed: TypedDefinitions, context: CommandContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opened = await open(context.settings);
  if (!opened.ok) return exitSaying(context, opened.failure, 1);
  const typed = opened.value;
  try {
    const code = await show(typed, withSettings(context, typed.settings));
    for (const { message, fix } of typed.refused) context.errors.write(`${toOneLine(`${message}. ${fix}`)}\n`);
    return code;
  } finally {
    await typed.close();
  }
}

/** The outputs are opened at first use: they are handed on, not copied. */
export function withSettings(context: CommandContext, settings: Settings): CommandContext {
  if (settings === context.settings) return context;
  return Object.create(context, { settings: { value: settings, enumerable: true } }) as CommandContext; // true: all else is inherited
}

async function open(settings: Settings): Promise<Result<TypedDefinitions, string>> {
  if (settings.configFile === undefined && settings.builtin === undefined) return ok(noneOf(settings));
  const { startTypedSkills } = await import('../../app/typed-skills.ts');
  const quiet = { log: () => undefined, search: async () => [] };
  const started = await startTypedSkills(settings, { ...quiet, hasBuiltin: false });
  if (!started.ok) return started;
  const { runtime, close } = started.value;
  const refused = runtime.problems.map(refusedIssue);
  return ok({ settings: started.value.settings, skills: runtime.skills, refused, runtime, close });
}

const noneOf = (settings: Settings): TypedDefinitions => ({
  settings,
  skills: [],
  refused: [],
  runtime: undefined,
  close: async () => undefined,
});

const refusedIssue = ({ message, fix }: DefinitionProblem): Issue => ({
  rule: 'typed-skill-refused',
  severity: 'error',
  message,
  fix,
});

/** The sentence says what to do as well. */
const unloadedIssue = (failure: string): Issue => ({
  rule: 'config-not-loaded',
  severity: 'error',
  message: failure,
  fix: '',
});
