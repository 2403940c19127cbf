// The tool `read_skill_file`: one supporting file of a skill, text as text, other bytes as base64 (T12).
import type { ManifestFile } from '../../../document/manifest.ts';
import { TOOL_NAMES, type ToolNames } from '../../../operations/operation.ts';
import type { FileAddress, Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText, listText } from '../../../text/list-text.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { refuseUnknownFields } from '../../answers/unknown-fields.ts';
import { answerFile, NO_ROOM, noteRead, readWithRoom } from './resources.ts';
import { READ_ONLY, type Tool, ToolRefusal, type ToolResult, textContent, toolError } from './tool.ts';

export const readSkillFileTool = (repertoire: Repertoire, names: ToolNames = TOOL_NAMES): Tool => ({
  name: names.read_skill_file,
  title: 'Read a file of a skill',
  describe: () =>
    'Read one supporting file of a skill, such as a reference or a script that its SKILL.md mentions. ' +
    "Send exactly one of: uri (the file's skill:// URI), or skill and path (the skill's name and the path below its folder).",
  inputSchema: {
    type: 'object',
    properties: {
      uri: { type: 'string', description: 'URI of the file: skill://…/references/guide.md' },
      skill: { type: 'string', description: 'Name of the skill (case-insensitive)' },
      path: { type: 'string', description: 'Path below the folder of the skill, with "/": references/guide.md' },
    },
    additionalProperties: false,
  },
  annotations: READ_ONLY,
  call: async (input, context) => {
    const unknown = refuseUnknownFields(input, ['uri', 'skill', 'path'], WHAT_TO_SEND);
    if (unknown !== undefined) return toolError(unknown);
    const address = findAddress(repertoire, input, names);
    if (!address.ok) return toolError(address.failure);
    const read = await readWithRoom(repertoire, address.value, context);
    if (read === 'no room') return new ToolRefusal(NO_ROOM);
    if (!read.ok) return toolError(`Cannot read '${echoText(address.value.path, 200)}': ${read.failure}`);
    noteRead(repertoire, { skill: address.value.skill, file: read.value.file }, 'read_skill_file', context);
    return answerFile(read.value, context, shape);
  },
});

const WHAT_TO_SEND = '{ "uri": "skill://…" } or { "skill": "…", "path": "references/guide.md" }';

function findAddress(
  repertoire: Repertoire,
  { uri, skill, path }: JsonObject,
  { list_skills: listTool }: ToolNames,
): Result<FileAddress, string> {
  if (typeof uri === 'string' && skill === undefined && path === undefined) {
    const address = repertoire.findFile(uri);
    return address ? ok(address) : fail(`No file of a skill has the URI '${echoText(uri, 200)}': ${hint(listTool)}`);
  }
  if (uri !== undefined || typeof skill !== 'string' || typeof path !== 'string') {
    return fail(`Send exactly one of uri, or skill and path: ${WHAT_TO_SEND}`);
  }
  const found = repertoire.loadByName(skill);
  if (found === undefined) return fail(`Skill '${echoText(skill, 200)}' not found: call ${listTool} to see every name`);
  const file = repertoire.findManifestFile({ skill: found, path });
  if (file) return ok({ skill: found, path: file.path });
  const { files } = repertoire.manifestOf(found);
  return fail(
    `Skill '${echoText(skill, 200)}' has no file '${echoText(path, 200)}'. ${describeFiles(files.map((each) => each.path))}`,
  );
}

const hint = (listTool: string): string =>
  `read the skill's SKILL.md to see which files it mentions, and ${listTool} for the URIs of skills`;

const MAX_SHOWN = 50;

function describeFiles(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_SHOWN).map((path) => listText(path, 200));
  const more = paths.length > shown.length ? `, … ${paths.length} in all` : '';
  return `Its files: ${shown.join(', ')}${more}`;
}

function shape(content: string, { uri, mimeType }: ManifestFile, isText: boolean): ToolResult {
  if (isText) return { content: [textContent(content)] };
  return { content: [{ type: 'resource', resource: { uri, mimeType, blob: content } }] };
}
