// The typed skills of `repertoire mcp --config FILE`, as tools; loaded only when there is such a file.
import type { Settings } from '../config.ts';
import { ok, type Result } from '../result.ts';
import type { Tool } from '../serve/mcp/tool.ts';
import { TOOL_NAMES } from '../serve/mcp/tool-names.ts';
import { startTypedSkills, type TypedSkills } from '../start.ts';
import type { LogEvent } from './event-log.ts';

export interface TypedSide {
  /** Absent without `--config`. */
  readonly skills: TypedSkills | undefined;
  readonly tools: readonly Tool[];
}

export async function startTypedSide(
  settings: Settings,
  log: (event: LogEvent) => void,
): Promise<Result<TypedSide, string>> {
  if (settings.configFile === undefined) return ok({ skills: undefined, tools: [] });
  const started = await startTypedSkills(settings, { log, reserved: Object.values(TOOL_NAMES) });
  if (!started.ok) return started;
  const { runtime } = started.value;
  for (const { message, fix } of runtime.problems) {
    log({ level: 'warn', message: `${message}. ${fix}` });
  }
  const [{ typedSkillTools }, { guardProcess }] = await Promise.all([
    import('../serve/mcp/methods/typed-skills.ts'),
    import('../execution/guard-process.ts'),
  ]);
  guardProcess(log);
  return ok({ skills: started.value, tools: typedSkillTools({ runtime, agent: settings.agent }) });
}
