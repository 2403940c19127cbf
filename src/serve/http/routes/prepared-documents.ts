// Documents as they are sent, made once and sent again while nothing has changed: a repeat costs a look-up and a write.
import type { Problem, Skill } from '../../../catalog/skill.ts';
import type { Snapshot } from '../../../catalog/snapshot.ts';
import type { Repertoire } from '../../../repertoire.ts';
import { hidePathsFor } from '../../hide-paths.ts';
import { type Content, JSON_UTF8 } from '../reply.ts';
import { type DocumentJson, findingJson, problemJson, summaryJson } from './document-json.ts';
import { etagOf, REVALIDATE } from './etag.ts';
import { findingsOf } from './skill-findings.ts';

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
  /** In the order of their making. */
  readonly #local = new Map<string, Kept>();
  readonly #remote = new Map<string, Kept>();
  #size = 0;

  constructor(repertoire: Repertoire) {
    this.#repertoire = repertoire;
  }

  find(skill: Skill, remote: boolean): PreparedDocument | undefined {
    const kept = (remote ? this.#remote : this.#local).get(skill.uri);
    return kept?.skill === skill && kept.snapshot === this.#repertoire.snapshot ? kept : undefined;
  }

  async make(skill: Skill, remote: boolean): Promise<PreparedDocument> {
    const { snapshot } = this.#repertoire;
    const document = describe(skill, remote, this.#repertoire);
    const findings = await findingsOf(skill, this.#repertoire);
    const body = Buffer.from(JSON.stringify({ ...document, findings: findings.map(findingJson) }));
    const etag = etagOf(body);
    const headers = {
      'Content-Type': JSON_UTF8,
      'Content-Length': body.length,
      'Cache-Control': REVALIDATE,
      ETag: etag,
    };
    const made = { etag, content: { status: 200, headers, body } };
    this.#keep(remote ? this.#remote : this.#local, { ...made, skill, snapshot, size: body.length });
    return made;
  }

  #keep(kept: Map<string, Kept>, document: Kept): void {
    this.#forget(kept, document.skill.uri);
    kept.set(document.skill.uri, document);
    this.#size += document.size;
    for (const each of [this.#local, this.#remote]) {
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

function describe(skill: Skill, remote: boolean, repertoire: Repertoire): Omit<DocumentJson, 'findings'> {
  const hide = hidePathsFor(remote, repertoire.snapshot);
  return {
    ...summaryJson(skill, hide),
    // In full: here it is read, not listed.
    description: skill.description,
    base_directory: remote ? null : skill.baseDirectory,
    last_loaded: skill.lastLoaded.toISOString(),
    frontmatter: { ...skill.frontmatter },
    content: repertoire.textOf(skill),
    files: repertoire
      .manifestOf(skill)
      .files.map(({ path, uri, digest, size, mimeType }) => ({ path, uri, digest, size, media_type: mimeType })),
    problems: problemsOf(skill, repertoire.snapshot).map((problem) => problemJson(problem, hide)),
  };
}

const problemsOf = ({ baseDirectory }: Skill, { problems }: Snapshot): readonly Problem[] =>
  problems.filter(({ rootPath, path }) => `${rootPath}/${path}`.startsWith(`${baseDirectory}/`));
