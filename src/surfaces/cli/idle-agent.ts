// Whether the agent that `--agent` names may invoke any typed skill: a mistyped name would show only in refusals. Pure.

import { agentCaller, refusalOf } from '../../identity/caller.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { findNearest } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';

/** `undefined` when there is nothing to say. */
export function explainIdleAgent({ skills }: Pick<Runtime, 'skills'>, agent: string | undefined): string | undefined {
  if (agent === undefined || skills.length === 0) return undefined;
  const caller = agentCaller(agent);
  if (skills.some(({ access }) => refusalOf(caller, access, {}) === undefined)) return undefined;
  const names = [...new Set(skills.flatMap(({ access }) => access.assignedTo))];
  const [nearest] = findNearest(agent, names, 1);
  const advice = nearest === undefined ? `they are for ${names.join(', ')}` : `did you mean "${nearest}"?`;
  return `No typed skill may be invoked by the agent "${toOneLine(agent, 64)}": ${advice}`;
}
