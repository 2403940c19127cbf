// The tool `skill`: one SKILL.md by its name (T1).
import type { Skill } from '../../../catalog/view/skill.ts';
import { directoryUri } from '../../../document/skill-uri.ts';
import type { Caller } from '../../../identity/caller.ts';
import { skillLine } from '../../../operations/list-skills.ts';
import { ALWAYS_LOADED, type ToolNames } from '../../../operations/operation.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText, listText } from '../../../text/list-text.ts';
import { refuseUnknownFields } from '../../answers/unknown-fields.ts';
import { describeSkills } from './describe-skills.ts';
import { giveSkill } from './get-skill.ts';
import type { PreparedResults } from './prepared-results.ts';
import { readerName } from './reader-name.ts';
import { READ_ONLY, type Tool, type ToolResult, textContent, toolError } from './tool.ts';
import { isShown } from './tools.ts';
import type { View } from './view.ts';

/** Up to this many skills an unknown name is answered with all of them, above it with the nearest. */
const MAX_ALL = 100;
const MAX_NEAREST = 50;
/** Hosts cut descriptions at 2,048 characters; ours end before (PROTOCOL). */
const MAX_DESCRIPTION = 1_900;

export interface SkillToolOptions {
  readonly repertoire: Repertoire;
  readonly prepared: PreparedResults;
  readonly names: ToolNames;
  readonly view: View;
  /** Typed skills, which are tools of their own. */
  readonly typedTools: readonly Pick<Tool, 'name' | 'access' | 'isFor'>[];
  /** Who asks where a request does not say. */
  readonly caller: Caller;
}

export const skillTool = (options: SkillToolOptions): Tool => {
  const { repertoire, prepared, names, view } = options;
  return {
    name: names.skill,
    title: 'Load a skill',
    describe: (client) =>
      INTRODUCTION + describeSkills(view.visibleTo(client), MAX_DESCRIPTION - INTRODUCTION.length, names),
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'Name of the skill to load (case-insensitive)' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: READ_ONLY,
    _meta: ALWAYS_LOADED,
    call: (input, context) => {
      const unknown = refuseUnknownFields(input, ['name'], '{ "name": "…" }');
      if (unknown !== undefined) return toolError(unknown);
      const { name } = input;
      if (typeof name !== 'string') return toolError('Missing skill name: send { "name": "…" } with a string');
      if (name.trim() === '') return toolError('Skill name cannot be empty');
      const skill = repertoire.loadByName(name);
      if (skill === undefined) return notFound(name, context.caller ?? options.caller, options);
      const note = () =>
        repertoire.noteLoad({
          skillName: skill.name,
          text: skill.bytes,
          client: readerName(context),
          surface: 'skill',
          caller: context.caller,
        });
      const hasDirectory = !context.remote && !skill.isOfLibrary;
      const place = hasDirectory ? skill.baseDirectory : directoryUri(skill.segments);
      const kind = context.remote ? 'skill remote' : 'skill local';
      return giveSkill(
        prepared.answer(kind, skill, context, (text) => loaded(skill, place, text)),
        note,
      );
    },
  };
};

const loaded = (skill: Skill, place: string, text: string): ToolResult => ({
  content: [textContent(`Loading: ${skill.name}\nBase directory: ${place}\n${heldMark(skill)}\n${text}`)],
});

/** The file on disk says something else by now, which cannot be served (D8). */
const heldMark = ({ availability }: Skill): string => (availability === 'fallback' ? `Availability: fallback\n` : '');

const INTRODUCTION =
  'Load a skill: instructions written for a kind of task, to be read before starting it. ' +
  'Answers the whole SKILL.md and the directory that its relative paths start from.\n\nAvailable skills:\n';

function notFound(requested: string, caller: Caller, { repertoire, names, typedTools }: SkillToolOptions): ToolResult {
  const named = repertoire.named();
  const shown = named.length > MAX_ALL ? repertoire.nearest(requested, MAX_NEAREST) : named;
  const lines = shown.length > 0 ? shown.map(skillLine) : ['(none)'];
  if (shown.length < named.length) {
    lines.push(`… ${named.length} skills in all: call ${names.search_skills} to find the one that fits`);
  }
  const wanted = requested.trim().toLowerCase();
  const typed = typedTools.find(({ name }) => name === wanted);
  if (typed && isShown(typed, caller)) lines.push(`'${typed.name}' is a tool of this server: call it`);
  const unnamed = findUnnamed(repertoire, requested.trim());
  if (unnamed) {
    const input = `{ "skill_name": ${JSON.stringify(unnamed.name)} }`;
    lines.push(`'${listText(unnamed.name, 200)}' is a document without a name: call ${names.get_skill} with ${input}`);
  }
  return toolError(`Skill '${echoText(requested, 200)}' not found.\n\nAvailable skills:\n${lines.join('\n')}`);
}

/** What is asked for may be a folder whose SKILL.md names no skill (T2). */
function findUnnamed({ snapshot }: Repertoire, folder: string): Skill | undefined {
  const answer = snapshot.findFolder(folder);
  return answer && 'skill' in answer && answer.skill?.isUnnamed ? answer.skill : undefined;
}
