// Search over the skills of a catalog. The first search builds the index; after that only what changed is indexed again.

import { keptPromise } from '../async/kept-promise.ts';
import { createTimeSlice } from '../async/time-slice.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { contentOf, type Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { findFrontmatter } from '../document/frontmatter.ts';
import { type Access, type Caller, mayInvoke } from '../identity/caller.ts';
import type { SearchEntry, SearchIndex } from '../search/search-index.ts';

interface Hit {
  readonly name: string;
  readonly description: string;
  /** Greater is better; comparable within one answer. */
  readonly score: number;
  /** Which words of the query were found where: `name: pdf; description: forms, fill`. */
  readonly why: string;
}

/**
 * A skill that a search found. Document skills come with the skill itself; typed ones are invoked by their name.
 *
 * @example
 * for (const hit of await repertoire.search('review a migration')) {
 *   console.log(hit.name, hit.score, hit.why, hit.kind === 'document' ? hit.uri : 'typed');
 * }
 */
export type SkillHit =
  | (Hit & { readonly kind: 'document'; readonly skill: Skill; readonly uri: string })
  | (Hit & { readonly kind: 'typed'; readonly skill: undefined; readonly uri: undefined });

/** What search knows of a typed skill. */
export interface TypedEntry {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
}

/** When no single word was found, but the name as a whole. */
const EXACT_NAME = 'the exact name';

/** How many hits a caller may ask for (T13). */
export const SEARCH_LIMIT = { least: 1, most: 50, usual: 5 } as const;

/** The process answers others between two pieces of this length while the index is made. */
const SLICE_MS = 10;

export class SkillSearch {
  readonly #catalog: Pick<Catalog, 'current' | 'whole'>;
  /** By URI: what the index holds. */
  readonly #indexed = new Map<string, Skill>();
  /** By the id that they have in the index. */
  readonly #typed: ReadonlyMap<string, TypedEntry>;
  /** Loaded by the first search: a server that is never asked does not pay for it. */
  readonly #engine = keptPromise(() => openEngine(this.#typed));
  #snapshot: Snapshot | undefined;
  #catchingUp: Promise<void> | undefined;

  constructor(catalog: Pick<Catalog, 'current' | 'whole'>, typed: readonly TypedEntry[] = []) {
    this.#catalog = catalog;
    this.#typed = new Map(typed.map((skill) => [`typed:${skill.name}`, skill]));
  }

  /**
   * Best first. Only skills that are served by their name: what another shadows would show twice; of the typed ones those
   * that the caller may invoke (X10).
   */
  async find(query: string, limit: number, caller: Caller): Promise<readonly SkillHit[]> {
    await this.#catalog.whole();
    const { index, explain } = await this.#engine.get();
    await this.#catchUp(index);
    return index.search(query, limit, this.#hiddenFrom(caller)).flatMap(({ id, score, matches }): SkillHit[] => {
      const why = explain(matches) || EXACT_NAME;
      const typed = this.#typed.get(id);
      if (typed) {
        const { name, description } = typed;
        return [{ name, description, kind: 'typed', skill: undefined, uri: undefined, score, why }];
      }
      const skill = this.#indexed.get(id);
      if (skill === undefined) return [];
      const { name, description, uri } = skill;
      return [{ name, description, kind: 'document', skill, uri, score, why }];
    });
  }

  /** By their ids in the index. */
  #hiddenFrom(caller: Caller): ReadonlySet<string> {
    const hidden = [...this.#typed].filter(([, { access }]) => !mayInvoke(caller, access));
    return new Set(hidden.map(([id]) => id));
  }

  /** One at a time: other searches wait for the same. */
  async #catchUp(index: SearchIndex): Promise<void> {
    while (this.#snapshot !== this.#catalog.current) {
      this.#catchingUp ??= this.#follow(index, this.#catalog.current).finally(() => {
        this.#catchingUp = undefined;
      });
      await this.#catchingUp;
    }
  }

  async #follow(index: SearchIndex, snapshot: Snapshot): Promise<void> {
    const slice = createTimeSlice(SLICE_MS);
    const named = new Set<string>();
    for (const skill of snapshot.skills) {
      if (!snapshot.isNamed(skill)) continue;
      named.add(skill.uri);
      if (this.#indexed.get(skill.uri) === skill) continue;
      index.put(entryOf(skill));
      this.#indexed.set(skill.uri, skill);
      if (slice.isSpent()) await slice.rest();
    }
    for (const uri of this.#indexed.keys()) {
      if (named.has(uri)) continue;
      index.remove(uri);
      this.#indexed.delete(uri);
    }
    this.#snapshot = snapshot;
  }
}

interface Engine {
  readonly index: SearchIndex;
  readonly explain: typeof import('../search/why.ts').explainMatches;
}

async function openEngine(typed: ReadonlyMap<string, TypedEntry>): Promise<Engine> {
  const [{ SearchIndex }, { explainMatches }] = await Promise.all([
    import('../search/search-index.ts'),
    import('../search/why.ts'),
  ]);
  const index = new SearchIndex();
  for (const [id, { name, description }] of typed) index.put({ id, kind: 'typed', name, description, body: '' });
  return { index, explain: explainMatches };
}

const entryOf = (skill: Skill): SearchEntry => ({
  id: skill.uri,
  kind: 'document',
  name: skill.name,
  description: skill.description,
  body: bodyOf(skill),
});

/** What it says below its frontmatter. */
export function bodyOf(skill: Skill): string {
  const text = contentOf(skill);
  const found = findFrontmatter(text);
  return found.ok ? text.slice(found.value.bodyOffset) : text;
}
