// Replies that are made once and sent again while nothing has changed: a repeat costs a lookup and a write.
import { createBoundedMap } from '../../../async/bounded-map.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import { documentJson, findingJson } from '../../../operations/document-json.ts';
import type { SkillFindings } from '../../../operations/skill-findings.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { jsonBytes } from '../../../values/json-bytes.ts';
import { etagOf, REVALIDATE } from '../message/etag.ts';
import { type Content, JSON_UTF8, type Reply } from '../message/reply.ts';

/** `key`: everything beside the snapshot that the reply depends on. */
export type KeepReply = (key: string, make: () => Reply | Promise<Reply>) => Reply | Promise<Reply>;

/** Together at most 4 MB, next to nothing beside the catalog itself (D7). */
const MOST_KEPT = 32;
const MAX_LENGTH = 128 * 1024;

/** Replies that follow from the snapshot alone, such as lists. */
export function createKeptReplies(repertoire: Pick<Repertoire, 'snapshot'>): KeepReply {
  const kept = createBoundedMap<string, Reply>({ most: MOST_KEPT });
  let snapshot: Snapshot | undefined;
  return (key, make) => {
    if (snapshot !== repertoire.snapshot) kept.clear();
    snapshot = repertoire.snapshot;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    // What comes later is of another snapshot, perhaps.
    if ('body' in made && made.body.length <= MAX_LENGTH) kept.set(key, made);
    return made;
  };
}

export interface KeptDocument {
  readonly etag: string;
  readonly content: Content;
}

export interface KeptDocuments {
  /** `isHidden`: for a caller that sees no path of this machine. */
  find(skill: Skill, isHidden: boolean): KeptDocument | undefined;
  /** Made once for all who ask for it meanwhile. */
  make(skill: Skill, isHidden: boolean): Promise<KeptDocument>;
  /** How many bytes it has, about, before it is made: its text as JSON may be six times as long. */
  sizeOf(skill: Skill): number;
}

/** The documents in use at one time, next to nothing beside the catalog itself (D7). */
const MAX_BYTES = 4 * 1024 * 1024;
/** Of those that take long to make: two of the largest, which have 12 MB as JSON. */
const MAX_LARGE_BYTES = 26 * 1024 * 1024;
const LARGE = 512 * 1024;

interface KeptOf extends KeptDocument {
  readonly skill: Skill;
  /** Problems of a skill come from all of them: another snapshot may have others. */
  readonly snapshot: Snapshot;
}

export function createKeptDocuments(repertoire: Repertoire, findings: SkillFindings): KeptDocuments {
  const weigh = ({ content }: KeptOf) => content.body.length;
  const small = createBoundedMap<string, KeptOf>({ most: MAX_BYTES, weigh });
  const large = createBoundedMap<string, KeptOf>({ most: MAX_LARGE_BYTES, weigh });
  const making = new Map<string, { readonly skill: Skill; readonly snapshot: Snapshot; made: Promise<KeptOf> }>();
  const sizes = new WeakMap<Skill, number>();
  const keyOf = ({ uri }: Skill, isHidden: boolean) => (isHidden ? uri : `with paths ${uri}`);
  const isCurrent = (found: Pick<KeptOf, 'skill' | 'snapshot'> | undefined, skill: Skill) =>
    found?.skill === skill && found.snapshot === repertoire.snapshot;
  const keep = (key: string, made: KeptOf): KeptOf => {
    const isLarge = weigh(made) > LARGE;
    (isLarge ? large : small).set(key, made);
    // An older state of it.
    (isLarge ? small : large).delete(key);
    sizes.set(made.skill, weigh(made));
    return made;
  };
  return {
    find: (skill, isHidden) => {
      const key = keyOf(skill, isHidden);
      const found = small.get(key) ?? large.get(key);
      return isCurrent(found, skill) ? found : undefined;
    },
    make: (skill, isHidden) => {
      const key = keyOf(skill, isHidden);
      const under = making.get(key);
      if (under !== undefined && isCurrent(under, skill)) return under.made;
      const made = makeDocument(skill, repertoire, findings, isHidden).then((done) => keep(key, done));
      const entry = { skill, snapshot: repertoire.snapshot, made };
      making.set(key, entry);
      const forget = () => making.get(key) === entry && making.delete(key);
      made.then(forget, forget);
      return made;
    },
    sizeOf: (skill) => {
      const size = sizes.get(skill) ?? estimateSize(skill, repertoire);
      sizes.set(skill, size);
      return size;
    },
  };
}

async function makeDocument(
  skill: Skill,
  repertoire: Repertoire,
  findings: SkillFindings,
  isHidden: boolean,
): Promise<KeptOf> {
  const found = await findings.of(skill);
  const { snapshot } = repertoire;
  const document = documentJson(skill, repertoire, isHidden);
  const body = Buffer.from(JSON.stringify({ ...document, findings: found.map(findingJson) }));
  const etag = etagOf(body);
  const headers = {
    'Content-Type': JSON_UTF8,
    'Content-Length': body.length,
    'Cache-Control': REVALIDATE,
    ETag: etag,
  };
  return { etag, content: { status: 200, headers, body }, skill, snapshot };
}

/** Address, digest and type of a file. */
const FILE_BYTES = 256;

/** The description stands in it twice: by itself and in the frontmatter. */
function estimateSize(skill: Skill, repertoire: Repertoire): number {
  const frontmatter = Buffer.byteLength(JSON.stringify(skill.frontmatter));
  return jsonBytes(skill.bytes) + 2 * frontmatter + FILE_BYTES * repertoire.manifestOf(skill).files.length;
}
