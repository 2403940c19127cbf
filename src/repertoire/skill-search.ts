// Search over the skills of a catalog. The first search has the index built; until it is there, names, descriptions and
// headings answer. After that only what changed is indexed again. Where there is a file for it, the index of the last start
// is taken over instead of being built.

import { keptPromise } from '../async/kept-promise.ts';
import { createTimeSlice } from '../async/time-slice.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { contentOf, type Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { findFrontmatter } from '../document/frontmatter.ts';
import { type Access, type Caller, mayInvoke } from '../identity/caller.ts';
import type { Head } from '../search/heads.ts';
import type { SearchEntry, SearchHit, SearchIndex } from '../search/search-index.ts';
import type { IndexFile } from './index-file.ts';
import type { IndexMemory } from './index-memory.ts';

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
const SLICE_MS = 5;
/** A search waits for the index when no more than this is missing from it, some tenths of a second; more is worth keeping. */
const MOST_AWAITED = { skills: 64, bytes: 512 * 1024 } as const;
/** Of all skills together so much is looked through for headings before the first answer, and of each at least so much. */
const MOST_SKIMMED = { all: 8 * 1024 * 1024, each: 2 * 1024 } as const;
/** The answer that had to do without the index goes out first. */
const BEFORE_INDEXING_MS = 20;
/** Until a new index is kept for the next start: a host may end the process soon. */
const BEFORE_KEEPING_MS = 200;

export interface SearchedSkills {
  readonly catalog: Pick<Catalog, 'current' | 'whole'>;
  readonly typed?: readonly TypedEntry[];
  /** Absent: every start builds the index anew. */
  readonly indexFile?: IndexFile | undefined;
}

export class SkillSearch {
  readonly #catalog: Pick<Catalog, 'current' | 'whole'>;
  /** By URI: what the index holds. */
  readonly #indexed = new Map<string, Skill>();
  /** Needed only until the index is there. */
  #heads = new WeakMap<Skill | TypedEntry, Head>();
  /** By the id that they have in the index. */
  readonly #typed: ReadonlyMap<string, TypedEntry>;
  /** Loaded by the first search: a server that is never asked does not pay for it. */
  readonly #engine = keptPromise(() => openEngine(this.#indexFile));
  readonly #indexFile: IndexFile | undefined;
  #snapshot: Snapshot | undefined;
  #catchingUp: Promise<void> | undefined;
  /** How many searches are looking through heads: the index waits for them. */
  #skimming = 0;
  #catchUpTimer: NodeJS.Timeout | undefined;
  #keepTimer: NodeJS.Timeout | undefined;
  /** Taken over what was kept, and the typed skills are in the index. */
  #isBegun = false;
  /** How much is in the index and not in the file. */
  #unkept = { skills: 0, bytes: 0 };

  constructor({ catalog, typed = [], indexFile }: SearchedSkills) {
    this.#catalog = catalog;
    this.#indexFile = indexFile;
    this.#typed = new Map(typed.map((skill) => [`typed:${skill.name}`, skill]));
  }

  /**
   * Best first. Of the skills with a name only those that are served by it: what another shadows would show twice; of the
   * typed ones those that the caller may invoke (X10).
   */
  async find(query: string, limit: number, caller: Caller): Promise<readonly SkillHit[]> {
    await this.#catalog.whole();
    const engine = await this.#engine.get();
    const hidden = this.#hiddenFrom(caller);
    if (this.#isFarBehind()) {
      this.#skimming += 1;
      const atFirstSight = await this.#findByHeads(engine, query, limit, hidden).finally(() => {
        this.#skimming -= 1;
      });
      this.#catchUpSoon(engine);
      // Nothing is only said by the index, which knows the bodies and misspelled words as well.
      if (atFirstSight.length > 0) return atFirstSight;
    }
    await this.#catchUp(engine);
    const hits = engine.index.search(query, limit, hidden);
    return this.#present(hits, engine, (uri) => this.#indexed.get(uri));
  }

  /** The index holds every skill: until one changes, searches answer from everything. */
  async ready(): Promise<void> {
    await this.#catalog.whole();
    await this.#catchUp(await this.#engine.get());
  }

  /** By their ids in the index. */
  #hiddenFrom(caller: Caller): ReadonlySet<string> {
    const hidden = [...this.#typed].filter(([, { access }]) => !mayInvoke(caller, access));
    return new Set(hidden.map(([id]) => id));
  }

  #present(hits: readonly SearchHit[], { explain }: Engine, find: (uri: string) => Skill | undefined): SkillHit[] {
    return hits.flatMap(({ id, score, matches }): SkillHit[] => {
      const why = explain(matches) || EXACT_NAME;
      const typed = this.#typed.get(id);
      if (typed) {
        const { name, description } = typed;
        return [{ name, description, kind: 'typed', skill: undefined, uri: undefined, score, why }];
      }
      const skill = find(id);
      if (skill === undefined) return [];
      const { name, description, uri } = skill;
      return [{ name, description, kind: 'document', skill, uri, score, why }];
    });
  }

  #isFarBehind(): boolean {
    const snapshot = this.#catalog.current;
    if (this.#snapshot === snapshot) return false;
    let skills = 0;
    let bytes = 0;
    for (const skill of findable(snapshot)) {
      if (this.#indexed.get(skill.uri) === skill) continue;
      skills += 1;
      bytes += skill.bytes.length;
      if (isMuch({ skills, bytes })) return true;
    }
    return false;
  }

  async #findByHeads(
    engine: Engine,
    query: string,
    limit: number,
    hidden: ReadonlySet<string>,
  ): Promise<readonly SkillHit[]> {
    const scan = new engine.HeadScan(query);
    for (const [id, typed] of this.#typed) {
      if (!hidden.has(id)) scan.add(this.#headOf(typed, () => engine.createHead({ ...typed, id, headings: '' })));
    }
    const { current } = this.#catalog;
    const skimmed = Math.max(MOST_SKIMMED.each, Math.floor(MOST_SKIMMED.all / current.skills.length));
    const skills = new Map<string, Skill>();
    const slice = createTimeSlice(SLICE_MS);
    for (const skill of findable(current)) {
      skills.set(skill.uri, skill);
      scan.add(
        this.#headOf(skill, () =>
          engine.createHead({ ...described(skill), headings: engine.headingsOf(skill.bytes, skimmed) }),
        ),
      );
      if (slice.isSpent()) await slice.rest();
    }
    return this.#present(scan.best(limit), engine, (uri) => skills.get(uri));
  }

  #headOf(skill: Skill | TypedEntry, make: () => Head): Head {
    const known = this.#heads.get(skill);
    if (known !== undefined) return known;
    const head = make();
    this.#heads.set(skill, head);
    return head;
  }

  /** Keeps no process alive: a program that has its answer may end. */
  #catchUpSoon(engine: Engine): void {
    this.#catchUpTimer ??= setTimeout(() => {
      this.#catchUpTimer = undefined;
      // What went wrong is met again, and told, by the next search that needs the index.
      this.#catchUp(engine).catch(() => {});
    }, BEFORE_INDEXING_MS).unref();
  }

  /** One at a time: other searches wait for the same. */
  async #catchUp(engine: Engine): Promise<void> {
    while (this.#snapshot !== this.#catalog.current) {
      this.#catchingUp ??= this.#follow(engine, this.#catalog.current).finally(() => {
        this.#catchingUp = undefined;
      });
      await this.#catchingUp;
    }
  }

  async #follow(engine: Engine, snapshot: Snapshot): Promise<void> {
    const { index } = engine;
    if (!this.#isBegun) await this.#begin(engine, snapshot);
    const slice = createTimeSlice(SLICE_MS);
    const rest = async (): Promise<void> => {
      do await slice.rest();
      while (this.#skimming > 0);
    };
    const found = new Set<string>();
    for (const skill of findable(snapshot)) {
      found.add(skill.uri);
      if (this.#indexed.get(skill.uri) === skill) continue;
      for (const _step of index.putInSteps(entryOf(skill))) if (slice.isSpent()) await rest();
      this.#indexed.set(skill.uri, skill);
      this.#unkept = { skills: this.#unkept.skills + 1, bytes: this.#unkept.bytes + skill.bytes.length };
      if (slice.isSpent()) await rest();
    }
    for (const uri of this.#indexed.keys()) {
      if (found.has(uri)) continue;
      index.remove(uri);
      this.#indexed.delete(uri);
      if (slice.isSpent()) await rest();
    }
    this.#snapshot = snapshot;
    this.#heads = new WeakMap();
    this.#keepSoon(engine);
  }

  /** The numbers of terms that were kept are only those of an empty index: so this comes before all else. */
  async #begin({ index, memory }: Engine, snapshot: Snapshot): Promise<void> {
    this.#isBegun = true;
    try {
      await memory?.recall(index, findable(snapshot), (skill) => this.#indexed.set(skill.uri, skill));
    } finally {
      for (const [id, { name, description }] of this.#typed) {
        index.put({ id, kind: 'typed', name, description, body: '' });
      }
    }
  }

  /** Not for a few: they are indexed again in no time. Keeps no process alive. */
  #keepSoon({ index, memory }: Engine): void {
    if (memory === undefined || this.#keepTimer !== undefined || !isMuch(this.#unkept)) return;
    this.#keepTimer = setTimeout(() => {
      const find = () => (this.#catchingUp === undefined ? this.#indexed : undefined);
      memory
        .keep(index, find)
        .then((isKept) => {
          if (isKept) this.#unkept = { skills: 0, bytes: 0 };
        })
        // The index itself is whole: the next start builds its own.
        .catch(() => {})
        .finally(() => {
          this.#keepTimer = undefined;
        });
    }, BEFORE_KEEPING_MS).unref();
  }
}

const isMuch = ({ skills, bytes }: { readonly skills: number; readonly bytes: number }): boolean =>
  skills > MOST_AWAITED.skills || bytes > MOST_AWAITED.bytes;

/** What another one shadows would show twice; what has no name is found by its folder (T13). */
function* findable(snapshot: Snapshot): Generator<Skill> {
  for (const skill of snapshot.skills) if (snapshot.isNamed(skill)) yield skill;
  yield* snapshot.unnamed;
}

interface Engine {
  readonly index: SearchIndex;
  readonly memory: IndexMemory | undefined;
  readonly explain: typeof import('../search/why.ts').explainMatches;
  readonly createHead: typeof import('../search/heads.ts').createHead;
  readonly headingsOf: typeof import('../search/heads.ts').headingsOf;
  readonly HeadScan: typeof import('../search/head-scan.ts').HeadScan;
}

async function openEngine(indexFile: IndexFile | undefined): Promise<Engine> {
  const [{ SearchIndex }, { explainMatches }, { createHead, headingsOf }, { HeadScan }, memory] = await Promise.all([
    import('../search/search-index.ts'),
    import('../search/why.ts'),
    import('../search/heads.ts'),
    import('../search/head-scan.ts'),
    indexFile && import('./index-memory.ts').then(({ IndexMemory }) => new IndexMemory(indexFile)),
  ]);
  return { index: new SearchIndex(), memory, explain: explainMatches, createHead, headingsOf, HeadScan };
}

const entryOf = (skill: Skill): SearchEntry => ({ ...described(skill), kind: 'document', body: searchedText(skill) });

/** What has no name may have a description in its frontmatter all the same, or words that YAML does not take (T13). */
const searchedText = (skill: Skill): string => (skill.isUnnamed ? contentOf(skill) : bodyOf(skill));

const described = ({ uri, name, description }: Skill) => ({ id: uri, name, description });

/** What it says below its frontmatter. */
export function bodyOf(skill: Skill): string {
  const text = contentOf(skill);
  const found = findFrontmatter(text);
  return found.ok ? text.slice(found.value.bodyOffset) : text;
}
