// Documents as they are sent, made once and sent again while nothing has changed: a repeat costs a look-up and a write.
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { hidePathsFor } from '../../answers/hide-paths.ts';
import { skillEntry } from '../../answers/skill-list.ts';
import { etagOf, REVALIDATE } from '../message/etag.ts';
import { type Content, JSON_UTF8 } from '../message/reply.ts';
import { type DocumentJson, findingJson, problemJson } from './document-json.ts';
import { shadowsOf } from './namesakes.ts';
import type { SkillFindings } from './skill-findings.ts';
import { problemsOf } from './skill-problems.ts';

export interface PreparedDocument {
  readonly etag: string;
  readonly content: Content;
}

interface Kept extends PreparedDocument {
  readonly skill: Skill;
  /** Problems of a skill come from all of them: another snapshot may have others. */
  readonly snapshot: Snapshot;
  readonly size: number;
}

/** The documents in use at one time, next to nothing beside the catalog itself (D7). */
const MAX_BYTES = 4 * 1024 * 1024;

export class PreparedDocuments {
  readonly #repertoire: Repertoire;
  readonly #findings: SkillFindings;
  /** In the order of their making; for the operator, and for those who see no path of this machine. */
  readonly #withPaths = new Map<string, Kept>();
  readonly #withoutPaths = new Map<string, Kept>();
  #size = 0;

  constructor(repertoire: Repertoire, findings: SkillFindings) {
    this.#repertoire = repertoire;
    this.#findings = findings;
  }

  find(skill: Skill, isHidden: boolean): PreparedDocument | undefined {
    const kept = this.#keptFor(isHidden).get(skill.uri);
    return kept?.skill === skill && kept.snapshot === this.#repertoire.snapshot ? kept : undefined;
  }

  async make(skill: Skill, isHidden: boolean): Promise<PreparedDocument> {
    const { snapshot } = this.#repertoire;
    const document = describe(skill, isHidden, this.#repertoire);
    const findings = await this.#findings.of(skill);
    const body = Buffer.from(JSON.stringify({ ...document, findings: findings.map(findingJson) }));
    const etag = etagOf(body);
    const headers = {
      'Content-Type': JSON_UTF8,
      'Content-Length': body.length,
      'Cache-Control': REVALIDATE,
      ETag: etag,
    };
    const made = { etag, content: { status: 200, headers, body } };
    this.#keep(this.#keptFor(isHidden), { ...made, skill, snapshot, size: body.length });
    return made;
  }

  #keptFor(isHidden: boolean): Map<string, Kept> {
    return isHidden ? this.#withoutPaths : this.#withPaths;
  }

  #keep(kept: Map<string, Kept>, document: Kept): void {
    this.#forget(kept, document.skill.uri);
    kept.set(document.skill.uri, document);
    this.#size += document.size;
    for (const each of [this.#withPaths, this.#withoutPaths]) {
      for (const oldest of each.keys()) {
        if (this.#size <= MAX_BYTES) return;
        this.#forget(each, oldest);
      }
    }
  }

  #forget(kept: Map<string, Kept>, uri: string): void {
    this.#size -= kept.get(uri)?.size ?? 0;
    kept.delete(uri);
  }
}

function describe(skill: Skill, isHidden: boolean, repertoire: Repertoire): Omit<DocumentJson, 'findings'> {
  const { snapshot } = repertoire;
  const hide = hidePathsFor(isHidden, snapshot);
  return {
    ...skillEntry(skill, hide),
    // In full: here it is read, not listed.
    description: skill.description,
    base_directory: isHidden ? null : skill.baseDirectory,
    last_loaded: skill.lastLoaded.toISOString(),
    frontmatter: { ...skill.frontmatter },
    content: repertoire.textOf(skill),
    files: repertoire
      .manifestOf(skill)
      .files.map(({ path, uri, digest, size, mimeType }) => ({ path, uri, digest, size, media_type: mimeType })),
    ...shadowsOf(skill, snapshot, hide),
    problems: problemsOf(skill, snapshot).map((problem) => problemJson(problem, hide)),
  };
}
