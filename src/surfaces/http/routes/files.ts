// `/api/documents/{name}/files/{path}`: one file of a document, as it is, and harmless in a browser (H2).
import type { Skill } from '../../../catalog/view/skill.ts';
import type { ManifestFile } from '../../../document/manifest.ts';
import type { OpenedSkillFile, Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText } from '../../../text/list-text.ts';
import { codeOf } from '../../../values/error-code.ts';
import { sendPieces } from '../../streams/send-pieces.ts';
import { OPENED_FILE_BYTES, SMALL_ANSWER_BYTES } from '../../streams/unread-answers.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { hasTag, REVALIDATE, tagOf, unchanged } from '../message/etag.ts';
import { NO_ROOM, notFound, type Reply } from '../message/reply.ts';
import { documentNotFound, findDocument, noteRead } from './documents.ts';
import type { Handlers } from './handler.ts';

export function fileHandlers(all: Repertoire): Pick<Handlers, 'getDocumentFile'> {
  return {
    getDocumentFile: async ({ admitted, parts: [name = '', path = ''] }) => {
      const repertoire = all.for(admitted.caller);
      const skill = findDocument(repertoire, name);
      if (skill === undefined) return documentNotFound(name);
      // Looked up, never joined.
      const wanted = repertoire.findManifestFile({ skill, path });
      // A slash that was written as %2F is no slash of the path.
      const asked = echoText(path.replaceAll('\0', '/'), 200);
      const missing = () => notFound(`file ${JSON.stringify(asked)} of ${JSON.stringify(skill.name)}`);
      if (wanted === undefined) return missing();
      const isSmall = wanted.size <= SMALL_ANSWER_BYTES;
      const opened = isSmall ? undefined : repertoire.openFile({ skill, path: wanted.path });
      if (opened !== undefined) return await replyOpened(repertoire, admitted, skill, opened);
      return (await replyWhole(repertoire, admitted, { skill, wanted })) ?? missing();
    },
  };
}

interface WantedFile {
  readonly skill: Skill;
  readonly wanted: ManifestFile;
}

/** Small, a SKILL.md, or just being changed. `undefined`: it cannot be read. */
async function replyWhole(
  repertoire: Repertoire,
  admitted: AdmittedRequest,
  { skill, wanted }: WantedFile,
): Promise<Reply | undefined> {
  const { request, limits } = admitted;
  const takeRoom = async () =>
    wanted.size <= SMALL_ANSWER_BYTES || (await limits.answers.reserve(admitted, wanted.size));
  // The text of a skill lies in memory anyway: sending it takes room, reading it does not.
  const isInMemory = repertoire.loadByUri(wanted.uri) !== undefined;
  if (!isInMemory && !(await takeRoom())) return NO_ROOM;
  const read = await repertoire.readFile({ skill, path: wanted.path });
  if (!read.ok) return undefined;
  const { file, bytes, isText } = read.value;
  const etag = tagOf(file.digest);
  if (hasTag(request, etag)) return unchanged(etag);
  if (isInMemory && request.method !== 'HEAD' && !(await takeRoom())) return NO_ROOM;
  noteRead(skill, admitted, repertoire, file);
  return { status: 200, headers: headersOf(file, isText), body: bytes, hasRoom: true };
}

/** Sent while it is read. If the file changes under it the connection ends: half of one state is no answer (R2). */
async function replyOpened(
  repertoire: Repertoire,
  admitted: AdmittedRequest,
  skill: Skill,
  { file, isText, pieces }: OpenedSkillFile,
): Promise<Reply> {
  const { request, response, limits, onFault } = admitted;
  const etag = tagOf(file.digest);
  if (hasTag(request, etag)) return unchanged(etag);
  const headers = headersOf(file, isText);
  if (request.method === 'HEAD') return { status: 200, headers, body: '' };
  if (!(await limits.answers.reserve(admitted, OPENED_FILE_BYTES))) return NO_ROOM;
  noteRead(skill, admitted, repertoire, file);
  return {
    open: () => {
      response.writeHead(200, headers);
      sendPieces(response, pieces(), {
        done: () => response.end(),
        onFault: (fault) => codeOf(fault) === 'FILE_CHANGED' || onFault(fault),
      });
    },
  };
}

/** Whatever the file is: it is not run, loads nothing, and is not taken for something else. */
const HARMLESS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': REVALIDATE,
};

function headersOf(
  { mimeType, digest, size }: ManifestFile,
  isText: boolean,
): Readonly<Record<string, string | number>> {
  const type = isText && isTextual(mimeType) ? `${mimeType}; charset=utf-8` : mimeType;
  const attached = SHOWN.has(mimeType) ? {} : { 'Content-Disposition': 'attachment' };
  return { 'Content-Type': type, ...HARMLESS, ...attached, ETag: tagOf(digest), 'Content-Length': size };
}

const isTextual = (mimeType: string): boolean => mimeType.startsWith('text/') || TEXTS.has(mimeType);

const TEXTS = new Set([
  'application/json',
  'application/yaml',
  'application/toml',
  'application/xml',
  'application/sql',
]);

/** What a browser shows without running any of it. Everything else is saved. */
const SHOWN = new Set([
  ...['text/plain', 'text/markdown', 'text/csv', 'text/tab-separated-values', 'application/json'],
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/x-icon'],
  ...['audio/mpeg', 'audio/wav', 'audio/ogg', 'video/mp4', 'video/webm'],
]);
