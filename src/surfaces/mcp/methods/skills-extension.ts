// The methods of the MCP Skills extension: entries with frontmatter and a manifest, of one state (R2).
import type { DirectoryChild } from '../../../catalog/view/directory-children.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import { MAX_FILES, MAX_SKILL_BYTES } from '../../../document/manifest.ts';
import { parseSkillUri } from '../../../document/skill-uri.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText } from '../../../text/list-text.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { ok } from '../../../values/result.ts';
import { invalidParams } from '../wire/json-rpc.ts';
import type { Method } from '../wire/method.ts';
import { findPage } from './find-page.ts';

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** An entry is about a kilobyte, and is never split over pages. */
const ENTRIES_PER_PAGE = 200;
const CHILDREN_PER_PAGE = 1_000;
/** Clients of the SDKs end the connection at a message of 10 MB. */
const MAX_PAGE_CHARACTERS = 3_000_000;

/** Only skills that every conforming host accepts as they are: one bad entry can block a whole import (DESIGN 10). */
export const listSkillEntries = (repertoire: Repertoire): Method => {
  return ({ cursor }) => {
    const listable = repertoire.snapshot.skills.filter((skill) => skill.listable);
    const page = findPage(repertoire, listable, cursor, ENTRIES_PER_PAGE);
    if (!page.ok) return page;
    const entries = page.value.skills.map((skill) => entryOf(repertoire, skill));
    const count = countThatFits(entries);
    // Fewer skills where their entries are very long; at least one.
    const shown = count < entries.length ? findPage(repertoire, listable, cursor, count) : page;
    if (!shown.ok) return shown;
    const { nextCursor } = shown.value;
    return ok({ skills: entries.slice(0, count).filter(isEntry), ...(nextCursor && { nextCursor }) });
  };
};

const isEntry = (entry: JsonObject | undefined): entry is JsonObject => entry !== undefined;

function countThatFits(entries: readonly (JsonObject | undefined)[]): number {
  let characters = 0;
  const tooMany = entries.findIndex((entry) => {
    characters += entry ? JSON.stringify(entry).length : 0;
    return characters > MAX_PAGE_CHARACTERS;
  });
  return tooMany < 0 ? entries.length : Math.max(1, tooMany);
}

/** Also for skills that are served but not listed. */
export const getSkillEntry = (repertoire: Repertoire): Method => {
  return ({ uri }) => {
    if (typeof uri !== 'string') return invalidParams('Invalid params: uri must be a string');
    // Found, not loaded: an entry has no text of the skill (D9).
    const skill = repertoire.snapshot.findByUri(uri);
    // An entry is what a frontmatter says: a text without a name has none.
    const entry = skill && !skill.isUnnamed ? entryOf(repertoire, skill) : undefined;
    return entry ? ok({ skill: entry }) : invalidParams(`No skill is served at ${echoText(uri, 200)}`);
  };
};

/** `undefined` for a skill above the extension's limits, or not all of whose files can be served: a problem, no entry. */
function entryOf(repertoire: Repertoire, skill: Skill): JsonObject | undefined {
  const { files, totalSize, isComplete } = repertoire.manifestOf(skill);
  if (!isComplete || files.length > MAX_FILES || totalSize > MAX_SKILL_BYTES) return undefined;
  const resources = files.map(({ uri, digest, size }) => ({ uri, digest, size }));
  return { uri: skill.uri, frontmatter: skill.frontmatter, resources };
}

/** resources/directory/read: what lies directly in a folder of the skill:// tree. */
export const readDirectory = (repertoire: Repertoire): Method => {
  return ({ uri, cursor }) => {
    if (typeof uri !== 'string') return invalidParams('Invalid params: uri must be a string');
    if (cursor !== undefined && typeof cursor !== 'string')
      return invalidParams('Invalid params: cursor must be a string');
    const segments = parseSkillUri(uri);
    const children = segments.ok ? repertoire.listDirectory(segments.value) : undefined;
    if (children === undefined) return invalidParams(`Not a directory: ${echoText(uri, 200)}`);
    const page = pageAfter(children, cursor);
    return page ? ok(page) : invalidParams('Invalid params: unknown cursor');
  };
};

/** A cursor is the URI of the last child of the page before, so it stays right when others come or go. */
function pageAfter(children: readonly DirectoryChild[], cursor: string | undefined): JsonObject | undefined {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor !== undefined && !after.startsWith('skill://')) return undefined;
  const rest = children.filter((child) => child.uri > after);
  const resources = rest.slice(0, CHILDREN_PER_PAGE);
  const last = resources.at(-1);
  if (last === undefined || rest.length <= CHILDREN_PER_PAGE) return { resources };
  return { resources, nextCursor: Buffer.from(last.uri).toString('base64url') };
}
