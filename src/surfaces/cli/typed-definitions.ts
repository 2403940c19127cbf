// The typed skills for a command that only shows them: loaded when --config or --builtin names some, never run.
import type { Issue } from '../../document/issue.ts';
import type { Settings } from '../../settings/config.ts';
import { findUnmarkedSecrets } from '../../skills/check/unmarked-secrets.ts';
import type { DefinitionProblem } from '../../skills/define/definition-problems.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { exitSaying, saySentence } from './terminal/output.ts';

export interface TypedDefinitions {
  /** With what the operator's file adds: folders, names to leave out. */
  readonly settings: Settings;
  readonly skills: readonly RegisteredSkill[];
  /** Why a definition, or the whole file, cannot be used. */
  readonly refused: readonly Issue[];
  /** What the author of a skill that is served should look at. */
  readonly remarks: readonly Issue[];
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

/**
 * For commands that show skills: says what was refused, or why nothing could be loaded. `show` gets the file's settings.
 * `hasBuiltin`: the built-in ones are there when `--builtin` is not given, as in `serve`.
 */
export async function withTypedDefinitions(
  context: CommandContext,
  show: (typed: TypedDefinitions, context: CommandContext) => Promise<ExitCode>,
  { hasBuiltin = false } = {},
): Promise<ExitCode> {
  const opened = await open(context.settings, hasBuiltin);
  if (!opened.ok) return exitSaying(context, opened.failure, 1);
  const typed = opened.value;
  try {
    const code = await show(typed, withSettings(context, typed.settings));
    for (const { message, fix } of typed.refused) saySentence(context.errors, `${message}. ${fix}`);
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

async function open(settings: Settings, hasBuiltin = false): Promise<Result<TypedDefinitions, string>> {
  if (settings.configFile === undefined && settings.builtin === undefined && !hasBuiltin) return ok(noneOf(settings));
  const { startTypedSkills } = await import('../../app/typed-skills.ts');
  const quiet = { log: () => undefined, search: async () => [] };
  const started = await startTypedSkills(settings, { ...quiet, hasBuiltin });
  if (!started.ok) return started;
  const { runtime, close } = started.value;
  const { skills } = runtime;
  const refused = runtime.problems.map(refusedIssue);
  const remarks = skills.flatMap((skill) => [...descriptionIssues(skill), ...unmarkedSecretIssues(skill)]);
  return ok({ settings: started.value.settings, skills, refused, remarks, runtime, close });
}

const noneOf = (settings: Settings): TypedDefinitions => ({
  settings,
  skills: [],
  refused: [],
  remarks: [],
  runtime: undefined,
  close: async () => undefined,
});

const refusedIssue = ({ message, fix }: DefinitionProblem): Issue => ({
  rule: 'typed-skill-refused',
  severity: 'error',
  message,
  fix,
});

/** It may be empty; but agents choose by it, and hosts show it to people as it is (X1). */
const descriptionIssues = ({ name, description }: RegisteredSkill): readonly Issue[] =>
  description.trim() === ''
    ? [
        {
          rule: 'empty-description',
          severity: 'warning',
          message: `Cannot tell agents what skill ${JSON.stringify(name)} does: its description is empty`,
          fix: 'Say in a sentence what the skill does; hosts show an empty one as it is',
        },
      ]
    : [];

/** What is typed into such a field is hidden by its name alone: the author may have meant that, or forgotten it (X1). */
const unmarkedSecretIssues = ({ name, input }: RegisteredSkill): readonly Issue[] =>
  findUnmarkedSecrets(input.json).map((path) => ({
    rule: 'unmarked-secret',
    severity: 'warning',
    message: `Cannot keep every trace of ${JSON.stringify(path)} in the input of skill ${JSON.stringify(name)} out of the log: it is named like a secret, but not marked as one`,
    fix: 'Wrap its schema in secret(…), or write "secret": true in a JSON Schema; rename it if it holds no secret',
  }));

/** The sentence says what to do as well. */
export const unloadedIssue = (failure: string): Issue => ({
  rule: 'config-not-loaded',
  severity: 'error',
  message: failure,
  fix: '',
});
