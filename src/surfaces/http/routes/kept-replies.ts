// Replies that are made once and sent again while nothing has changed: a repeat costs a lookup and a write.
import { createBoundedMap } from '../../../async/bounded-map.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import { documentJson, findingJson } from '../../../operations/document-json.ts';
import type { SkillFindings } from '../../../operations/skill-findings.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
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
  make(skill: Skill, isHidden: boolean): Promise<KeptDocument>;
}

/** The documents in use at one time, next to nothing beside the catalog itself (D7). */
const MAX_BYTES = 4 * 1024 * 1024;

export function createKeptDocuments(repertoire: Repertoire, findings: SkillFindings): KeptDocuments {
  // Problems of a skill come from all of them: another snapshot may have others.
  const kept = createBoundedMap<string, KeptDocument & { readonly skill: Skill; readonly snapshot: Snapshot }>({
    most: MAX_BYTES,
    weigh: ({ content }) => content.body.length,
  });
  const keyOf = ({ uri }: Skill, isHidden: boolean) => (isHidden ? uri : `with paths ${uri}`);
  return {
    find: (skill, isHidden) => {
      const found = kept.get(keyOf(skill, isHidden));
      return found?.skill === skill && found.snapshot === repertoire.snapshot ? found : undefined;
    },
    make: async (skill, isHidden) => {
      const { snapshot } = repertoire;
      const document = documentJson(skill, repertoire, isHidden);
      const found = await findings.of(skill);
      const body = Buffer.from(JSON.stringify({ ...document, findings: found.map(findingJson) }));
      const etag = etagOf(body);
      const headers = {
        'Content-Type': JSON_UTF8,
        'Content-Length': body.length,
        'Cache-Control': REVALIDATE,
        ETag: etag,
      };
      const made = { etag, content: { status: 200, headers, body } };
      kept.set(keyOf(skill, isHidden), { ...made, skill, snapshot });
      return made;
    },
  };
}
