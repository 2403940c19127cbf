// `/.well-known/agent-skills/…`: the skills of this server for others to take, as an index with a digest for each (S6).
import { createBoundedMap } from '../../../async/bounded-map.ts';
import { createTimeSlice } from '../../../async/time-slice.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import { digestOf, MAX_FILES, MAX_SKILL_BYTES, type Manifest } from '../../../document/manifest.ts';
import { fitsIndex } from '../../../document/validate.ts';
import { ANONYMOUS } from '../../../identity/caller.ts';
import { perView } from '../../../repertoire/per-view.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText } from '../../../text/list-text.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { hasTag, REVALIDATE, tagOf } from '../message/etag.ts';
import { JSON_UTF8, NO_ROOM, notFound, type Reply } from '../message/reply.ts';
import { noteRead } from './documents.ts';
import type { Handlers } from './handler.ts';
import { createKeptArchives, type KeptArchives } from './kept-archives.ts';
import { type ArchivedFile, canBePacked, packSkill } from './skill-archive.ts';

const FOLDER = '/.well-known/agent-skills';
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

interface Offered {
  readonly skill: Skill;
  readonly packable: Packable;
  /** Of the bytes that are sent for it. */
  readonly digest: string;
  readonly size: number;
  readonly type: 'skill-md' | 'archive';
}

export function skillIndexHandlers(all: Repertoire): Pick<Handlers, 'getSkillIndex' | 'getIndexedSkill'> {
  // One for all views: what is kept has one limit.
  const archives = createKeptArchives(readArchive);
  const shownTo = perView(all, (view) => {
    const offers = createOffers(view, archives);
    return { repertoire: view, offers, indexes: createIndexes(offers) };
  });
  return {
    getSkillIndex: async ({ admitted }) => {
      const { repertoire, indexes } = shownTo(admitted.caller);
      const { body, digest } = await indexes.of(viewOf(admitted), () => visibleTo(admitted, repertoire));
      return replyWith(admitted, JSON_UTF8, body, digest);
    },
    getIndexedSkill: async ({ admitted, parts: [name = '', file = ''] }) => {
      const { repertoire, offers } = shownTo(admitted.caller);
      const skill = visibleTo(admitted, repertoire).find((each) => each.name === name);
      const offered = skill && (await offers.of(skill));
      const missing = notFound(`file ${JSON.stringify(echoText(`${name}/${file}`, 200))} of the index`);
      if (skill === undefined || offered === undefined || fileOf(name, offered.type) !== file) return missing;
      if (!(await admitted.limits.answers.reserve(admitted, offered.size))) return NO_ROOM;
      const bytes = offered.type === 'skill-md' ? skill.bytes : await archives.get(offered.packable);
      if (bytes === undefined || digestOf(bytes) !== offered.digest) return missing;
      if (admitted.caller !== ANONYMOUS) noteRead(skill, admitted, repertoire);
      const type = offered.type === 'skill-md' ? 'text/markdown; charset=utf-8' : 'application/gzip';
      return { ...replyWith(admitted, type, bytes, offered.digest), hasRoom: true };
    },
  };
}

const SLICE_MS = 10;

const fileOf = (name: string, type: Offered['type']): string => (type === 'skill-md' ? 'SKILL.md' : `${name}.tar.gz`);

/** A caller without a credential gets what was shared on purpose (S6). Other readers drop what the format does not allow. */
const visibleTo = ({ caller }: AdmittedRequest, repertoire: Repertoire): readonly Skill[] =>
  repertoire.named().filter((skill) => fitsIndex(skill) && (caller !== ANONYMOUS || skill.isShared));

/** Who gets the same index of one view: what `visibleTo` looks at. */
const viewOf = ({ caller }: AdmittedRequest): string => (caller === ANONYMOUS ? 'public' : 'callers');

interface BuiltIndex {
  readonly offered: readonly Offered[];
  readonly body: Buffer;
  readonly digest: string;
}

/** By view: written once for the same skills, and by one request for all that come meanwhile. */
function createIndexes(offers: Offers) {
  const kept = createBoundedMap<string, BuiltIndex>({ most: MOST_INDEX_BYTES, weigh: ({ body }) => body.length });
  const running = new Map<string, Promise<BuiltIndex>>();
  const build = async (view: string, skills: readonly Skill[]): Promise<BuiltIndex> => {
    const offered: Offered[] = [];
    const slice = createTimeSlice(SLICE_MS);
    for (const skill of skills) {
      const each = await offers.of(skill);
      if (slice.isSpent()) await slice.rest();
      if (each !== undefined) offered.push(each);
    }
    const before = kept.get(view);
    const isSame =
      before?.offered.length === offered.length && before.offered.every((each, at) => each === offered[at]);
    if (before !== undefined && isSame) return before;
    const body = Buffer.from(JSON.stringify({ $schema: SCHEMA, skills: offered.map(entryOf) }));
    const built = { offered, body, digest: digestOf(body) };
    kept.set(view, built);
    return built;
  };
  return {
    of: (view: string, skills: () => readonly Skill[]): Promise<BuiltIndex> => {
      const made = running.get(view) ?? build(view, skills()).finally(() => running.delete(view));
      running.set(view, made);
      return made;
    },
  };
}

const MOST_INDEX_BYTES = 16 * 1024 * 1024;

const entryOf = ({ skill: { name, description }, type, digest }: Offered) => ({
  ...{ name, type, description },
  url: `${FOLDER}/${name}/${fileOf(name, type)}`,
  digest,
});

/** What an archive is made of: another one when the files of a skill change. */
interface Packable {
  readonly repertoire: Repertoire;
  readonly skill: Skill;
  readonly manifest: Manifest;
}

type Offers = ReturnType<typeof createOffers>;

function createOffers(repertoire: Repertoire, archives: KeptArchives<Packable>) {
  const known = new WeakMap<Skill, Offered>();
  const running = new Map<Skill, Promise<Offered | undefined>>();
  const offer = async (packable: Packable): Promise<Offered | undefined> => {
    const { skill, manifest } = packable;
    const { files, totalSize, isComplete } = manifest;
    if (!isComplete || files.length > MAX_FILES || totalSize > MAX_SKILL_BYTES) return undefined;
    if (!files.every(({ path }) => canBePacked(path))) return undefined;
    const type = files.length === 1 ? 'skill-md' : 'archive';
    const bytes = type === 'skill-md' ? skill.bytes : await archives.get(packable);
    if (bytes === undefined) return undefined;
    const offered: Offered = { skill, packable, digest: digestOf(bytes), size: bytes.length, type };
    known.set(skill, offered);
    return offered;
  };
  return {
    /** `undefined`: it cannot be offered whole. Those who ask at once share the work. */
    of: async (skill: Skill): Promise<Offered | undefined> => {
      const manifest = repertoire.manifestOf(skill);
      const before = known.get(skill);
      if (before?.packable.manifest === manifest) return before;
      const made = running.get(skill) ?? offer({ repertoire, skill, manifest }).finally(() => running.delete(skill));
      running.set(skill, made);
      return made;
    },
  };
}

async function readArchive({ repertoire, skill, manifest }: Packable): Promise<Buffer | undefined> {
  const files: ArchivedFile[] = [];
  for (const { path, digest } of manifest.files) {
    const isText = path === skill.fileName;
    const read = isText ? undefined : await repertoire.readFile({ skill, path });
    const bytes = isText ? skill.bytes : read?.ok ? read.value.bytes : undefined;
    if (bytes === undefined || digestOf(bytes) !== digest) return undefined;
    const executable = repertoire.isExecutable({ skill, path });
    files.push({ path: isText ? 'SKILL.md' : path, bytes, executable });
  }
  return packSkill(files);
}

/** What anybody may have may be kept by anybody, for a moment. */
const PUBLIC = 'public, max-age=60';

function replyWith({ request, caller }: AdmittedRequest, type: string, body: Buffer, digest: string) {
  const etag = tagOf(digest);
  // What was kept for anyone is not the answer for a caller.
  const kept = {
    ETag: etag,
    'Cache-Control': caller === ANONYMOUS ? PUBLIC : REVALIDATE,
    Vary: 'Authorization, Cookie',
  };
  if (hasTag(request, etag)) return { status: 304, headers: kept, body: '' } satisfies Reply;
  const headers = { ...kept, 'Content-Type': type, 'Content-Length': body.length };
  return { status: 200, headers: { ...headers, 'X-Content-Type-Options': 'nosniff' }, body } satisfies Reply;
}
