// The methods over resources: every SKILL.md is listed, every file of a skill can be read, paths are completed (R1).
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Repertoire, SkillFileContent } from '../../../repertoire/repertoire.ts';
import { echoText, listText } from '../../../text/list-text.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { ok } from '../../../values/result.ts';
import { invalidParams } from '../wire/json-rpc.ts';
import type { Method, MethodResult, PreparedResult } from '../wire/method.ts';
import { findPage } from './find-page.ts';
import type { PreparedResults } from './prepared-results.ts';
import { readerName } from './reader-name.ts';

const PAGE_SIZE = 500;

export const listResources = (repertoire: Repertoire): Method => {
  return ({ cursor }) => {
    const page = findPage(repertoire, repertoire.snapshot.skills, cursor, PAGE_SIZE);
    if (!page.ok) return page;
    const { skills, nextCursor } = page.value;
    return ok({ resources: skills.map(resourceOf), ...(nextCursor && { nextCursor }) });
  };
};

const resourceOf = ({ uri, name, description, bytes }: Skill): JsonObject => ({
  uri,
  name: listText(name, 300),
  description: listText(description, 2_000),
  mimeType: 'text/markdown',
  size: bytes.length,
});

/** One template for every file of every skill; `{+path}` keeps the slashes. */
export const SKILL_TEMPLATE = {
  uriTemplate: 'skill://{+path}',
  name: 'skill-file',
  title: 'A file of a skill',
  description: 'SKILL.md or a supporting file: the folders below the root, then the path below the skill',
} as const;

export const listResourceTemplates = (): Method => {
  return ({ cursor }) =>
    cursor === undefined
      ? ok({ resourceTemplates: [SKILL_TEMPLATE] })
      : invalidParams('Invalid params: unknown cursor');
};

export const readResource = (repertoire: Repertoire, prepared: PreparedResults): Method => {
  return ({ uri }, context) => {
    if (typeof uri !== 'string') return invalidParams('Invalid params: uri must be a string');
    const skill = repertoire.loadByUri(uri);
    if (skill === undefined) return readFile(repertoire, uri);
    const client = readerName(context);
    repertoire.noteLoad({ skillName: skill.name, text: skill.bytes, client, surface: 'resources/read' });
    return ok(readSkill(repertoire, prepared, skill));
  };
};

const readSkill = (repertoire: Repertoire, prepared: PreparedResults, skill: Skill): PreparedResult =>
  prepared.get('resource', skill, () => ({
    contents: [{ uri: skill.uri, mimeType: 'text/markdown', text: repertoire.textOf(skill) }],
  }));

function readFile(repertoire: Repertoire, uri: string): MethodResult | Promise<MethodResult> {
  const address = repertoire.findFile(uri);
  if (address === undefined) return notFound(uri);
  return repertoire
    .readFile(address)
    .then((read) => (read.ok ? ok({ contents: [contentsOf(read.value)] }) : notFound(uri)));
}

const notFound = (uri: string): MethodResult =>
  invalidParams(`Resource not found: ${echoText(uri, 200)}`, { uri: echoText(uri, 2_000) });

const contentsOf = ({ file, bytes, isText }: SkillFileContent): JsonObject => ({
  uri: file.uri,
  mimeType: file.mimeType,
  ...(isText ? { text: bytes.toString('utf8') } : { blob: bytes.toString('base64') }),
});

const MAX_COMPLETIONS = 100;

/** completion/complete: paths for the template. */
export const complete = (repertoire: Repertoire): Method => {
  return ({ ref, argument }) => {
    if (!isRecord(ref) || !isRecord(argument)) return invalidParams('Invalid params: ref and argument must be objects');
    const { name, value } = argument;
    if (typeof name !== 'string' || typeof value !== 'string')
      return invalidParams('Invalid params: argument must have a name and a value');
    if (ref.type === 'ref/prompt') {
      return typeof ref.name === 'string' && repertoire.snapshot.findByName(ref.name)
        ? ok({ completion: { values: [], total: 0, hasMore: false } })
        : invalidParams('Invalid params: unknown prompt');
    }
    if (ref.type !== 'ref/resource' || ref.uri !== SKILL_TEMPLATE.uriTemplate)
      return invalidParams('Invalid params: unknown reference');
    if (name !== 'path') return invalidParams('Invalid params: unknown argument');
    return ok({ completion: pathsStartingWith(repertoire, value) });
  };
};

function pathsStartingWith(repertoire: Repertoire, value: string): JsonObject {
  const wanted = value.toLowerCase();
  const paths = repertoire.snapshot.skills.map(({ uri }) => uri.slice('skill://'.length));
  const matching = paths.filter((path) => path.toLowerCase().startsWith(wanted));
  return {
    values: matching.slice(0, MAX_COMPLETIONS),
    total: matching.length,
    hasMore: matching.length > MAX_COMPLETIONS,
  };
}
