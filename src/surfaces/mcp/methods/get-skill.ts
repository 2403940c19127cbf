// The tool `get_skill`: one SKILL.md by its URI (T4) or by the name of its folder (T6).

import type { Skill } from '../../../catalog/view/skill.ts';
import { loadFolderDocument } from '../../../operations/load-folder-document.ts';
import { TOOL_NAMES, type ToolNames } from '../../../operations/operation.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText } from '../../../text/list-text.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { refuseUnknownFields } from '../../answers/unknown-fields.ts';
import { LARGE_BYTES, type LargeResult, type PreparedResult, type RequestContext } from '../wire/method.ts';
import { answerLarge, type PreparedResults } from './prepared-results.ts';
import { readerName } from './reader-name.ts';
import { NO_ROOM } from './resources.ts';
import { READ_ONLY, type Tool, type ToolAnswer, ToolRefusal, type ToolResult, textContent, toolError } from './tool.ts';

export const getSkillTool = (
  repertoire: Repertoire,
  prepared: PreparedResults,
  names: ToolNames = TOOL_NAMES,
): Tool => {
  return {
    name: names.get_skill,
    title: 'Get a skill by URI or folder name',
    describe: () =>
      `Read the SKILL.md of one skill as Markdown. Send exactly one of: uri (as ${names.list_skills} gives it) ` +
      "or skill_name (the name of the skill's folder).",
    // The rule "exactly one of" is checked below: a oneOf here would make some hosts refuse the tool (T3).
    inputSchema: {
      type: 'object',
      properties: {
        uri: { type: 'string', description: 'URI of the skill: skill://…/SKILL.md' },
        skill_name: { type: 'string', description: 'Name of the skill (folder name)' },
      },
      additionalProperties: false,
    },
    annotations: READ_ONLY,
    hasView: true,
    call: (input, context) => {
      const unknown = refuseUnknownFields(input, ['uri', 'skill_name'], WHAT_TO_SEND);
      if (unknown !== undefined) return toolError(unknown);
      const { uri, skill_name: skillName } = input;
      if ((uri === undefined) === (skillName === undefined))
        return toolError(`Send exactly one of uri and skill_name: ${WHAT_TO_SEND}`);
      const reader = readerName(context);
      if (typeof uri === 'string') return getByUri({ repertoire, prepared, names, reader, context }, uri);
      if (typeof skillName === 'string') return getByFolder({ repertoire, reader, context }, skillName);
      return toolError(`Invalid input: send a string, ${WHAT_TO_SEND}`);
    },
  };
};

const WHAT_TO_SEND = '{ "uri": "skill://…/SKILL.md" } or { "skill_name": "…" }';

interface Asked {
  readonly repertoire: Repertoire;
  readonly prepared: PreparedResults;
  readonly names: ToolNames;
  /** As the log calls them. */
  readonly reader: string;
  readonly context: RequestContext;
}

function getByUri(
  { repertoire, prepared, names, reader, context }: Asked,
  uri: string,
): ToolAnswer | Promise<ToolAnswer> {
  if (uri.trim() === '')
    return toolError(`Skill URI cannot be empty: expected ${URI_FORMAT}. Call ${names.list_skills} to see every URI`);
  if (!/^skill:\/\//i.test(uri)) {
    return toolError(
      `Invalid skill URI '${echoText(uri, 200)}': expected ${URI_FORMAT}. Call ${names.list_skills} to see every URI`,
    );
  }
  const skill = repertoire.loadByUri(uri);
  if (skill === undefined) return notRegistered(repertoire, names, uri);
  const note = () =>
    repertoire.noteLoad({
      skillName: skill.name,
      text: skill.bytes,
      client: reader,
      surface: 'get_skill',
      caller: context.caller,
    });
  const shape = (text: string) => skillResult({ uri: skill.uri, mimeType: 'text/markdown', text });
  // What has a `_meta` of its own is not prepared: the wire adds to it.
  if (skill.availability === 'fallback') {
    note();
    return { ...shape(repertoire.textOf(skill)), ...metaOf(skill.availability) };
  }
  return giveSkill(prepared.answer('get_skill', skill, context, shape), note);
}

/** `note`: called where there is room for the answer. */
export function giveSkill(
  answer: PreparedResult | Promise<LargeResult | undefined>,
  note: () => void,
): ToolAnswer | Promise<ToolAnswer> {
  if (answer instanceof Promise)
    return answer.then((large) => {
      if (large === undefined) return new ToolRefusal(NO_ROOM);
      note();
      return large;
    });
  note();
  return answer;
}

/** T4: for hosts that show text, and for those that read values. */
export const skillResult = (read: Readonly<Record<'uri' | 'mimeType' | 'text', string>>): ToolResult => ({
  content: [textContent(`${read.uri}\n\n${read.text}`)],
  structuredContent: read,
  isError: false,
});

/** A held last good text is marked beside the answer: its structure is fixed (D8). */
const metaOf = (availability: Skill['availability']): JsonObject =>
  availability === 'fallback' ? { _meta: { 'repertoire/availability': 'fallback' } } : {};

const URI_FORMAT = 'skill://<folder>/SKILL.md';

function notRegistered(repertoire: Repertoire, names: ToolNames, uri: string): ToolResult {
  const shown = echoText(uri, 200);
  if (repertoire.findFile(uri)) {
    return toolError(`'${shown}' is a file of a skill, not a skill: call ${names.read_skill_file} with this uri`);
  }
  return toolError(
    `No skill has the URI '${shown}': call ${names.list_skills} to see every URI (expected ${URI_FORMAT})`,
  );
}

function getByFolder(
  { repertoire, reader, context }: Pick<Asked, 'repertoire' | 'reader' | 'context'>,
  name: string,
): ToolAnswer | Promise<ToolAnswer> {
  const loaded = loadFolderDocument(repertoire, name, { client: reader, caller: context.caller });
  if (!loaded.ok) return toolError(JSON.stringify({ error: loaded.failure }));
  const { document, availability } = loaded.value;
  const shape = (documentation: string, inJson: string): ToolResult => ({
    content: [textContent(JSON.stringify({ ...document, documentation: inJson }))],
    structuredContent: { ...document, documentation },
  });
  const large =
    availability === 'fallback' || document.documentation.length <= SURELY_SMALL
      ? undefined
      : answerLarge(Buffer.from(document.documentation), context.reserve, shape);
  if (large !== undefined) return giveSkill(large, () => undefined);
  return { ...shape(document.documentation, document.documentation), ...metaOf(availability) };
}

/** Of a text of so many units no byte needs to be counted: each has three at most. */
const SURELY_SMALL = LARGE_BYTES / 3;
