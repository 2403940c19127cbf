// The methods over resources: every SKILL.md is listed, every file of a skill can be read, paths are completed (R1).
import type { Skill } from '../../../catalog/view/skill.ts';
import type { ManifestFile } from '../../../document/manifest.ts';
import type { FileAddress, Repertoire, SkillFileContent } from '../../../repertoire/repertoire.ts';
import { echoText, listText } from '../../../text/list-text.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { invalidParams, rpcCode } from '../wire/json-rpc.ts';
import {
  LARGE_BYTES,
  LargeResult,
  type Method,
  type MethodResult,
  type PreparedResult,
  type RequestContext,
  type RpcError,
} from '../wire/method.ts';
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
    if (skill === undefined) return readFile(repertoire, uri, context);
    const client = readerName(context);
    const read = prepared.answer('resource', skill, context, (text) => ({
      contents: [{ uri: skill.uri, mimeType: 'text/markdown', text }],
    }));
    const give = (answer: PreparedResult | LargeResult | undefined): MethodResult => {
      if (answer === undefined) return fail(NO_ROOM);
      const { caller } = context;
      repertoire.noteLoad({ skillName: skill.name, text: skill.bytes, client, surface: 'resources/read', caller });
      return ok(answer);
    };
    return read instanceof Promise ? read.then(give) : give(read);
  };
};

function readFile(repertoire: Repertoire, uri: string, context: RequestContext): MethodResult | Promise<MethodResult> {
  const address = repertoire.findFile(uri);
  if (address === undefined) return notFound(uri);
  return readWithRoom(repertoire, address, context).then((read) => {
    if (read === 'no room') return fail(NO_ROOM);
    if (!read.ok) return notFound(uri);
    noteRead(repertoire, { skill: address.skill, file: read.value.file }, 'resources/read', context);
    return ok(answerFile(read.value, context, contentsOf));
  });
}

/** In the log: the SKILL.md is a load, whichever way it was asked for (D9), another file stands beside the loads (U7). */
export function noteRead(
  repertoire: Repertoire,
  { skill, file }: { readonly skill: Skill; readonly file: ManifestFile },
  surface: 'read_skill_file' | 'resources/read',
  context: RequestContext,
): void {
  const reader = { skillName: skill.name, client: readerName(context), surface, caller: context.caller } as const;
  if (file.uri === skill.uri) repertoire.noteLoad({ ...reader, text: skill.bytes });
  else repertoire.noteFile({ ...reader, path: file.path, digest: file.digest });
}

/** Many answers of this caller, or of all, wait to be read. */
export const NO_ROOM: RpcError = {
  code: rpcCode.refused,
  message: 'Rate limit exceeded. Retry after 5s: read the answers that wait, and ask for large files one at a time',
};

/** A large file is read once there is room for its answer, if the surface counts that. */
export async function readWithRoom(
  repertoire: Repertoire,
  address: FileAddress,
  { reserve }: RequestContext,
): Promise<Result<SkillFileContent, string> | 'no room'> {
  const { size = 0 } = repertoire.findManifestFile(address) ?? {};
  if (size <= LARGE_BYTES || reserve === undefined) return repertoire.readFile(address);
  const release = await reserve(size);
  if (release === undefined) return 'no room';
  try {
    return await repertoire.readFile(address);
  } finally {
    release();
  }
}

/** `shape`: the result around the content of the file, as text or as base64. */
export function answerFile<T extends JsonObject>(
  { file, bytes, isText }: SkillFileContent,
  { reserve }: RequestContext,
  shape: (content: string, file: ManifestFile, isText: boolean) => T,
): T | LargeResult {
  if (bytes.length > LARGE_BYTES && reserve !== undefined)
    return LargeResult.around({ bytes, isText }, (content) => shape(content, file, isText));
  return shape(bytes.toString(isText ? 'utf8' : 'base64'), file, isText);
}

const notFound = (uri: string): MethodResult =>
  invalidParams(`Resource not found: ${echoText(uri, 200)}`, { uri: echoText(uri, 2_000) });

const contentsOf = (content: string, { uri, mimeType }: ManifestFile, isText: boolean): JsonObject => ({
  contents: [{ uri, mimeType, ...(isText ? { text: content } : { blob: content }) }],
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
