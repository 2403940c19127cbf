// What hosts see of the skills before they ask: as many as fit a budget, one safe line each. Which ones: see view.ts.
import type { Skill } from '../../../catalog/view/skill.ts';
import { MAX_DESCRIPTION, nameLine } from '../../../operations/list-skills.ts';
import { TOOL_NAMES, type ToolNames } from '../../../operations/operation.ts';
import { counted } from '../../../text/counted.ts';
import { withoutTags } from '../../../text/list-text.ts';
import { toOneLine } from '../../../text/one-line.ts';
import type { Visible } from './view.ts';

/** As `skillLine`, where an agent reads on: a cut description ends with a whole word, unless it has no blanks to speak of. */
function describedLine(skill: Skill): string {
  const line = toOneLine(skill.description, MAX_DESCRIPTION);
  const isCut = line.length >= MAX_DESCRIPTION && line.endsWith('…');
  const blank = isCut ? line.lastIndexOf(' ') : 0;
  return `${nameLine(skill)} (${withoutTags(blank > MAX_DESCRIPTION / 2 ? `${line.slice(0, blank)}…` : line)})`;
}

/**
 * At most `budget` characters: every skill with its description where they fit; else the first ones so, the next by name,
 * and how many there are besides. No line is cut.
 */
export function describeSkills(visible: Visible, budget: number, names: ToolNames = TOOL_NAMES): string {
  const { skills, native } = visible;
  if (skills.length === 0)
    return native === 0 ? '(none)' : `(none but the ${counted(native, 'skill')} of this host's own folders)`;
  const text = chooseLines(visible, budget, names).join('\n');
  const last = `${counted(native, 'skill')} of this host's own folders ${native === 1 ? 'is' : 'are'} not shown here`;
  return native > 0 && text.length + costOf(last) <= budget ? `${text}\n${last}` : text;
}

function chooseLines(visible: Visible, budget: number, names: ToolNames): readonly string[] {
  const { skills } = visible;
  const whole = fillWith(describedLine, skills, budget);
  if (whole.length === skills.length) return whole;
  // The number that is shown in the end is never longer than that of all.
  const room = budget - costOf(restLine(skills.length, names));
  const described = whole.slice(0, countDescribed(visible, whole, room));
  const named = fillWith(nameLine, skills.slice(described.length), room - sum(described));
  const hidden = skills.length - described.length - named.length;
  return [...described, ...named, ...(hidden > 0 ? [restLine(hidden, names)] : [])];
}

/** Descriptions may take this part of the room that the pinned skills leave, even where names are then left out. */
const DESCRIBED_SHARE = 1 / 4;

/**
 * How many of the first skills get their description. A name is what makes an agent look, so the names of all come before
 * the descriptions of more; only the operator's own choice, the pinned ones, may take room from the names of others.
 */
function countDescribed({ skills, pinned }: Visible, lines: readonly string[], room: number): number {
  const forPinned = countFitting(skills.slice(0, pinned), lines, room, 0);
  if (forPinned < pinned) return forPinned;
  const left = room - sum(lines.slice(0, pinned));
  return pinned + countFitting(skills.slice(pinned), lines.slice(pinned), left, left * DESCRIBED_SHARE);
}

/** How many of the lines fit into `share` of the room, or beside the names of all the others. */
function countFitting(skills: readonly Skill[], lines: readonly string[], room: number, share: number): number {
  let names = namesCost(skills, room);
  let used = 0;
  for (const [index, skill] of skills.entries()) {
    const line = lines[index];
    if (line === undefined) return index;
    used += costOf(line);
    names -= costOf(nameLine(skill));
    if (used > share && used + names > room) return index;
  }
  return skills.length;
}

/** Infinite when they do not fit anyway: there may be 10,000. */
function namesCost(skills: readonly Skill[], room: number): number {
  const fitting = fillWith(nameLine, skills, room);
  return fitting.length === skills.length ? sum(fitting) : Number.POSITIVE_INFINITY;
}

/** Lines for the first skills, until one does not fit. */
function fillWith(lineOf: (skill: Skill) => string, skills: readonly Skill[], room: number): readonly string[] {
  const lines: string[] = [];
  let left = room;
  for (const skill of skills) {
    const line = lineOf(skill);
    left -= costOf(line);
    if (left < 0) break;
    lines.push(line);
  }
  return lines;
}

/** With its line break. */
const costOf = (line: string): number => line.length + 1;

const sum = (lines: readonly string[]): number => lines.reduce((total, line) => total + costOf(line), 0);

const restLine = (hidden: number, { search_skills: searchTool }: ToolNames): string =>
  `${counted(hidden, 'more skill')}: call ${searchTool}`;
