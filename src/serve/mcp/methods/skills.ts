// The methods of the MCP Skills extension: entries with frontmatter and a manifest, of one state (R2).
import type { Skill } from '../../../catalog/skill.ts';
import { MAX_FILES, MAX_SKILL_BYTES } from '../../../document/manifest.ts';
import type { Repertoire } from '../../../repertoire.ts';
import { ok } from '../../../result.ts';
import { listText } from '../catalogue.ts';
import type { JsonObject, Method } from '../method.ts';
import { invalidParams } from '../reply.ts';

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** An entry is about a kilobyte, and is never split over pages. */
const PAGE_SIZE = 200;
/** Clients of the SDKs end the connection at a message of 10 MB; a file takes 150 to 1,000 bytes of a page. */
const MAX_PAGE_FILES = 5_000;

/** Only skills that every conforming host accepts as they are: one bad entry can block a whole import (DESIGN 10). */
export const listSkillEntries = (repertoire: Repertoire): Method => {
  return ({ cursor }) => {
    if (cursor !== undefined && typeof cursor !== 'string')
      return invalidParams('Invalid params: cursor must be a string');
    const listable = repertoire.snapshot.skills.filter((skill) => skill.listable);
    const page = pageThatFits(repertoire, listable, cursor);
    if (page === undefined) return invalidParams('Invalid params: unknown cursor');
    const skills = page.skills.flatMap((skill) => entryOf(repertoire, skill) ?? []);
    return ok({ skills, ...(page.nextCursor && { nextCursor: page.nextCursor }) });
  };
};

/** Fewer skills where they have very many files; at least one. */
function pageThatFits(
  repertoire: Repertoire,
  skills: readonly Skill[],
  cursor: string | undefined,
): ReturnType<Repertoire['page']> {
  const page = repertoire.page(skills, cursor, PAGE_SIZE);
  let files = 0;
  const tooMany = page?.skills.findIndex((skill) => {
    files += repertoire.manifestOf(skill).files.length;
    return files > MAX_PAGE_FILES;
  });
  if (tooMany === undefined || tooMany < 0) return page;
  return repertoire.page(skills, cursor, Math.max(1, tooMany));
}

/** Also for skills that are served but not listed. */
export const getSkillEntry = (repertoire: Repertoire): Method => {
  return ({ uri }) => {
    if (typeof uri !== 'string') return invalidParams('Invalid params: uri must be a string');
    // Found, not loaded: an entry has no text of the skill (D9).
    const skill = repertoire.snapshot.findByUri(uri);
    const entry = skill && entryOf(repertoire, skill);
    return entry ? ok({ skill: entry }) : invalidParams(`No skill is served at ${listText(uri, 200)}`);
  };
};

/** `undefined` for a skill above the extension's limits, or not all of whose files can be served: a problem, no entry. */
function entryOf(repertoire: Repertoire, skill: Skill): JsonObject | undefined {
  const { files, totalSize, isComplete } = repertoire.manifestOf(skill);
  if (!isComplete || files.length > MAX_FILES || totalSize > MAX_SKILL_BYTES) return undefined;
  const resources = files.map(({ uri, digest, size }) => ({ uri, digest, size }));
  return { uri: skill.uri, frontmatter: skill.frontmatter, resources };
}
