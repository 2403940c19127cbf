// `/api/documents/{name}`: one document skill (H2).

import type { IncomingMessage } from 'node:http';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { ManifestFile } from '../../../document/manifest.ts';
import { isSkillAddress } from '../../../document/names.ts';
import { recordedName } from '../../../identity/caller.ts';
import { maySeePaths } from '../../../operations/access.ts';
import type { SkillFindings } from '../../../operations/skill-findings.ts';
import { perView } from '../../../repertoire/per-view.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText } from '../../../text/list-text.ts';
import { SMALL_ANSWER_BYTES } from '../../streams/unread-answers.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { hasSession } from '../message/dashboard-session.ts';
import { hasTag, unchanged } from '../message/etag.ts';
import { NO_ROOM, notFound, type Reply } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import { createKeptDocuments, type KeptDocument, type KeptDocuments } from './kept-replies.ts';

export function documentHandlers(
  all: Repertoire,
  findingsIn: (view: Repertoire) => SkillFindings,
): Pick<Handlers, 'getDocument'> {
  const shownTo = perView(all, (view) => ({ repertoire: view, kept: createKeptDocuments(view, findingsIn(view)) }));
  return {
    getDocument: ({ admitted, parts: [name = ''] }) => {
      const { repertoire, kept } = shownTo(admitted.caller);
      const skill = findDocument(repertoire, name);
      if (skill === undefined) return documentNotFound(name);
      const isHidden = !maySeePaths(admitted);
      const ready = kept.find(skill, isHidden);
      if (ready !== undefined) return giveOut(skill, ready, admitted, repertoire);
      return makeWithRoom(kept, skill, isHidden, admitted).then((made) =>
        made === undefined ? NO_ROOM : giveOut(skill, made, admitted, repertoire),
      );
    },
  };
}

/** A large one is made when there is room for its answer, in a turn of its own: to make it takes a tenth of a second (F10). */
async function makeWithRoom(
  kept: KeptDocuments,
  skill: Skill,
  isHidden: boolean,
  admitted: AdmittedRequest,
): Promise<KeptDocument | undefined> {
  const size = kept.sizeOf(skill);
  if (size <= SMALL_ANSWER_BYTES) return await kept.make(skill, isHidden);
  if (!(await admitted.limits.answers.reserve(admitted, size))) return undefined;
  const { etag, content } = kept.find(skill, isHidden) ?? (await kept.make(skill, isHidden));
  return { etag, content: { ...content, hasRoom: true } };
}

/** By its name; by its URI also one that another of the same name shadows (D5); one without a name by its folder (T2). */
export function findDocument(repertoire: Repertoire, name: string): Skill | undefined {
  // No skill can take the address of another one for its name.
  if (isSkillAddress(name)) return repertoire.loadByUri(name.trim());
  const found = repertoire.loadByName(name);
  const folder = found ? undefined : repertoire.snapshot.findFolder(name);
  return found ?? (folder && 'skill' in folder && folder.skill?.isUnnamed ? folder.skill : undefined);
}

export const documentNotFound = (name: string): Reply => notFound(`document ${JSON.stringify(echoText(name, 200))}`);

/** A client that has it already reads nothing, and neither does HEAD: no load (D9). */
function giveOut(
  skill: Skill,
  { etag, content }: KeptDocument,
  admitted: AdmittedRequest,
  repertoire: Repertoire,
): Reply {
  if (hasTag(admitted.request, etag)) return unchanged(etag);
  noteRead(skill, admitted, repertoire);
  return content;
}

/** `file`: the one that was given out; the SKILL.md when it is left out. */
export function noteRead(
  skill: Skill,
  { request, caller }: AdmittedRequest,
  repertoire: Repertoire,
  file?: Pick<ManifestFile, 'uri' | 'path' | 'digest'>,
): void {
  if (request.method === 'HEAD' || isOfPage(request)) return;
  const reader = { skillName: skill.name, client: recordedName(caller), surface: 'api', caller } as const;
  if (file === undefined || file.uri === skill.uri) repertoire.noteLoad({ ...reader, text: skill.bytes });
  else repertoire.noteFile({ ...reader, path: file.path, digest: file.digest });
}

/** A person who looks at the dashboard is no reader of the skill (D9). With `--no-auth` a page has no session. */
const isOfPage = ({ headers }: IncomingMessage): boolean =>
  hasSession(headers) || (headers.authorization === undefined && headers['sec-fetch-site'] === 'same-origin');
