// The tool `get_skill`: one SKILL.md by its URI (T4) or by the name of its folder (T6).
import type { FolderFailure } from '../../../catalog/found-folder.ts';
import type { Repertoire } from '../../../repertoire.ts';
import { listText } from '../catalogue.ts';
import type { PreparedAnswers } from '../prepared-answers.ts';
import {
  READ_ONLY,
  refuseUnknownFields,
  type Tool,
  type ToolAnswer,
  type ToolResult,
  textContent,
  toolError,
} from '../tool.ts';

export const getSkillTool = (repertoire: Repertoire, prepared: PreparedAnswers): Tool => {
  return {
    name: 'get_skill',
    title: 'Get a skill by URI or folder name',
    describe: () =>
      'Read the SKILL.md of one skill as Markdown. Send exactly one of: uri (as list_skills gives it) ' +
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
    call: (input) => {
      const unknown = refuseUnknownFields(input, ['uri', 'skill_name'], WHAT_TO_SEND);
      if (unknown !== undefined) return toolError(unknown);
      const { uri, skill_name: skillName } = input;
      if ((uri === undefined) === (skillName === undefined))
        return toolError(`Send exactly one of uri and skill_name: ${WHAT_TO_SEND}`);
      if (typeof (uri ?? skillName) !== 'string') return toolError(`Invalid input: send a string, ${WHAT_TO_SEND}`);
      return uri === undefined
        ? getByFolder(repertoire, skillName as string)
        : getByUri(repertoire, prepared, uri as string);
    },
  };
};

const WHAT_TO_SEND = '{ "uri": "skill://…/SKILL.md" } or { "skill_name": "…" }';

function getByUri(repertoire: Repertoire, prepared: PreparedAnswers, uri: string): ToolAnswer {
  if (uri.trim() === '')
    return toolError(`Skill URI cannot be empty: expected ${URI_FORMAT}. Call list_skills to see every URI`);
  if (!/^skill:\/\//i.test(uri)) {
    return toolError(
      `Invalid skill URI '${listText(uri, 200)}': expected ${URI_FORMAT}. Call list_skills to see every URI`,
    );
  }
  const skill = repertoire.loadByUri(uri);
  if (skill === undefined) return notRegistered(repertoire, uri);
  return prepared.get('get_skill', skill, () => {
    const text = repertoire.textOf(skill);
    const structuredContent = { uri: skill.uri, mimeType: 'text/markdown', text };
    return { content: [textContent(`${skill.uri}\n\n${text}`)], structuredContent, isError: false };
  });
}

const URI_FORMAT = 'skill://<folder>/SKILL.md';

function notRegistered(repertoire: Repertoire, uri: string): ToolResult {
  const shown = listText(uri, 200);
  if (repertoire.findFile(uri)) {
    return toolError(`'${shown}' is a file of a skill, not a skill: call read_skill_file with this uri`);
  }
  return toolError(`No skill has the URI '${shown}': call list_skills to see every URI (expected ${URI_FORMAT})`);
}

/** No folder has a longer name; a request may, and is not echoed whole. */
const MAX_NAME = 1_000;

/** A name that could lead anywhere but to a folder's own name is refused before anything is looked up. */
const isUnsafe = (name: string): boolean => name === '' || /[/\\]|\.\./.test(name);

function getByFolder(repertoire: Repertoire, requested: string): ToolResult {
  const name = requested.length > MAX_NAME ? `${requested.slice(0, MAX_NAME)}…` : requested;
  if (isUnsafe(requested))
    return folderError(`Invalid skill name: '${name}'. Skill names must not contain '/', '\\', or '..'`);
  const answer = repertoire.loadByFolder(name);
  if (answer === undefined) return folderError(`Skill '${name}' not found in skills folder`);
  if ('failure' in answer) return folderError(failureText[answer.failure](name));
  const structuredContent = { skill_name: name, documentation: answer.text.toString('utf8') };
  return { content: [textContent(JSON.stringify(structuredContent))], structuredContent };
}

const failureText = {
  'no-skill-file': (name) => `SKILL.MD not found for skill '${name}'`,
  empty: (name) => `SKILL.MD is empty for skill '${name}'`,
  denied: (name) => `Permission denied reading SKILL.MD for skill '${name}'`,
  'too-large': (name) => `SKILL.MD too large (>1MB) for skill '${name}'`,
  'invalid-utf8': (name) => `SKILL.MD contains invalid UTF-8 for skill '${name}'`,
} satisfies Record<FolderFailure, (name: string) => string>;

const folderError = (error: string): ToolResult => toolError(JSON.stringify({ error }));
