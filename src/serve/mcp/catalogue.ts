// What hosts see of the skills before they ask: as many as fit a budget, one safe line each.
import type { Skill } from '../../catalog/skill.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import { toOneLine } from '../../document/one-line.ts';
import { TOOL_NAMES, type ToolNames } from './tool-names.ts';

const MAX_NAME = 100;
const MAX_DESCRIPTION = 200;

/** Text of a skill inside a list: one line, capped, and no markup that could end the list and start another. */
export const listText = (text: string, max: number): string => toOneLine(text, max).replace(/<(?=[a-z/!?])/gi, '&lt;');

/** `- name (description)`, as T1 wants it. */
export const skillLine = ({ name, description }: Skill): string =>
  `- ${listText(name, MAX_NAME)} (${listText(description, MAX_DESCRIPTION)})`;

/**
 * As many skills as fit into `budget` characters: with descriptions first, then names only, then how many are left out.
 * Project roots come before user roots, because they are about the work at hand. A skill inside another one is left to
 * list_skills: the tool list is asked for before those have been searched for.
 */
export function describeSkills(snapshot: Snapshot, budget: number, names: ToolNames = TOOL_NAMES): string {
  // One that lost its name to another cannot be loaded by it, so it is not offered by it.
  const named = snapshot.skills.filter(snapshot.isNamed);
  const skills = inViewingOrder(named);
  if (skills.length === 0) return '(none)';
  const lines: string[] = [];
  let left = budget - REST_BUDGET;
  let index = 0;
  for (; index < skills.length; index += 1) {
    const line = skillLine(skills[index] as Skill);
    if (line.length + 1 > left) break;
    lines.push(line);
    left -= line.length + 1;
  }
  const rest = skills.slice(index);
  if (rest.length > 0) lines.push(describeRest(rest, left, names));
  return lines.join('\n');
}

/** Room for the line that says what is not shown. */
const REST_BUDGET = 120;

function describeRest(skills: readonly Skill[], budget: number, { list_skills: listTool }: ToolNames): string {
  const names: string[] = [];
  let left = budget;
  for (const skill of skills) {
    const name = listText(skill.name, MAX_NAME);
    if (name.length + 2 > left) break;
    names.push(name);
    left -= name.length + 2;
  }
  const hidden = skills.length - names.length;
  const shown = names.length > 0 ? `Also: ${names.join(', ')}` : '';
  const more = hidden > 0 ? `${hidden} more ${hidden === 1 ? 'skill' : 'skills'}: call ${listTool}` : '';
  return [shown, more].filter((part) => part !== '').join('\n');
}

function inViewingOrder(skills: readonly Skill[]): readonly Skill[] {
  const outermost = skills.filter((skill) => !skill.isNested);
  return [...outermost.filter((skill) => skill.isOfProject), ...outermost.filter((skill) => !skill.isOfProject)];
}
