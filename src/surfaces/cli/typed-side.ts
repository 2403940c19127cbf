// The typed skills of a server, as tools; loaded only when there are to be any.

import type { Settings } from '../../settings/config.ts';
import { startTypedSkills, type TypedSkills } from '../../start.ts';
import { ok, type Result } from '../../values/result.ts';
import type { Tool } from '../mcp/methods/tool.ts';
import { TOOL_NAMES } from '../mcp/methods/tool.ts';
import type { LogEvent } from './event-log.ts';
import { explainIdleAgent } from './idle-agent.ts';

export interface TypedSide {
  /** Absent where no typed skills are served. */
  readonly skills: TypedSkills | undefined;
  readonly tools: readonly Tool[];
}

/** Where no typed skills are served. */
export const NO_TYPED_SIDE: Result<TypedSide, string> = ok({ skills: undefined, tools: [] });

export interface TypedSideOptions {
  readonly log: (event: LogEvent) => void;
  /** Unless `--builtin` says otherwise (B6). */
  readonly hasBuiltin: boolean;
}

export async function startTypedSide(
  settings: Settings,
  { log, hasBuiltin }: TypedSideOptions,
): Promise<Result<TypedSide, string>> {
  const warn = (message: string) => log({ level: 'warn', message });
  const started = await startToldSkills(settings, { log, hasBuiltin }, warn);
  if (!started.ok) return started;
  const { runtime } = started.value;
  const idle = explainIdleAgent(runtime, settings.agent);
  if (idle !== undefined) warn(idle);
  const { typedSkillTools } = await import('../mcp/methods/typed-skills.ts');
  return ok({ skills: started.value, tools: typedSkillTools({ runtime, agent: settings.agent }) });
}

/** Typed skills beside the document tools, whose names are taken. `tell`: a sentence for each definition that was refused. */
export async function startToldSkills(
  settings: Settings,
  { log, hasBuiltin }: TypedSideOptions,
  tell: (sentence: string) => void,
): Promise<Result<TypedSkills, string>> {
  const started = await startTypedSkills(settings, { log, reserved: Object.values(TOOL_NAMES), hasBuiltin });
  if (started.ok) for (const { message, fix } of started.value.runtime.problems) tell(`${message}. ${fix}`);
  return started;
}
