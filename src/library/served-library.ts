// The library as a root of the catalog: its current versions as a copy in the data directory, each checked by its digest, and followed
// as they change on any replica (L4). While the database is away, what was seen last is served (N7).
import { join } from 'node:path';
import type { SourceRoots } from '../catalog/catalog.ts';
import type { Root } from '../catalog/scan/root.ts';
import { finish, readPrivateFile, writePrivateFile } from '../files/private-file.ts';
import {
  type ContentPlace,
  checkSkill,
  contentPlace,
  isKept,
  keptDigests,
  pruneContent,
  Workshop,
} from '../sources/content.ts';
import { pinnedRoot } from '../sources/pinned-roots.ts';
import { codeOf } from '../values/error-code.ts';
import { messageOf } from '../values/error-text.ts';
import { isRecord } from '../values/is-record.ts';
import { type CurrentSkill, LIBRARY_TOPIC, type Library, type Version } from './library.ts';

export interface ServedLibraryParts {
  readonly dataDirectory: string;
  readonly library: Pick<Library, 'current' | 'findVersion' | 'readFiles'>;
  readonly bus: {
    subscribe(topic: string, listener: () => void): () => void;
    onGap(listener: () => void): () => void;
  };
  readonly log: (event: { readonly level: 'info' | 'warn'; readonly message: string }) => void;
  readonly retryMs?: number;
  /** How long a copy that is not served any more is kept, and how often it is looked for such. */
  readonly keepMs?: number;
  /** How long after one repair the next may begin. */
  readonly repairMs?: number;
}

export interface ServedLibrary extends SourceRoots {
  /** Looks what is current now. Resolves when it is served, or when the store is away. */
  refresh(): Promise<void>;
  /** A copy was found to be another than its digest says: all are read, and what is wrong is brought from the store again. */
  repair(): void;
  close(): void;
}

/** While the store is away it is asked this often. */
const RETRY_MS = 1_000;

/** Longer than any answer that was begun with it takes. */
const KEEP_MS = 10 * 60_000;

/** Every byte of every copy is read: not for each of many changes. */
const REPAIR_MS = 5_000;

export function openServedLibrary(parts: ServedLibraryParts): ServedLibrary {
  const { dataDirectory, bus, retryMs = RETRY_MS, keepMs = KEEP_MS, repairMs = REPAIR_MS } = parts;
  const copy = new LibraryCopy(
    parts,
    contentPlace(dataDirectory, 'library'),
    join(dataDirectory, 'library', 'current.json'),
  );
  const listeners = new Set<() => void>();
  let looking: Promise<void> | undefined;
  let isStale = false;
  let isSweepDue = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const look = async (): Promise<void> => {
    do {
      isStale = false;
      const { isChanged, failure } = await copy.follow();
      if (isChanged) for (const listener of listeners) listener();
      if (failure !== undefined) throw failure.error;
    } while (isStale && !isClosed);
    if (isSweepDue) copy.sweep();
    isSweepDue = false;
  };
  const refresh = (): Promise<void> => {
    isStale = true;
    clearTimeout(timer);
    looking ??= look()
      .catch((error: unknown) => {
        copy.noteAway(error);
        if (!isClosed) timer = setTimeout(() => void refresh(), retryMs).unref();
      })
      .finally(() => {
        looking = undefined;
        // Asked for between the last look and now.
        if (isStale && !isClosed) void refresh();
      });
    return looking;
  };
  const sweeping = setInterval(() => {
    isSweepDue = true;
    void refresh();
  }, keepMs).unref();
  const repairs = createRepairs(() => {
    copy.doubt();
    void refresh();
  }, repairMs);
  const stops = [repairs.stop, bus.subscribe(LIBRARY_TOPIC, () => void refresh()), bus.onGap(() => void refresh())];
  return {
    current: () => copy.roots,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh,
    repair: repairs.begin,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(sweeping);
      for (const stop of stops) stop();
    },
  };
}

/** One at once, the next a while later: for all who asked in between. */
function createRepairs(
  repair: () => void,
  repairMs: number,
): { readonly begin: () => void; readonly stop: () => void } {
  let pause: NodeJS.Timeout | undefined;
  let isWanted = false;
  const begin = () => {
    isWanted = true;
    if (pause !== undefined) return;
    isWanted = false;
    repair();
    pause = setTimeout(() => {
      pause = undefined;
      if (isWanted) begin();
    }, repairMs).unref();
  };
  return { begin, stop: () => clearTimeout(pause) };
}

interface Followed {
  /** Something else is served than before, or again what could not be. */
  readonly isChanged: boolean;
  /** Why a skill is served as it was seen last, while others are followed. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** What is served, and where its bytes lie. */
class LibraryCopy {
  readonly #parts: ServedLibraryParts;
  readonly #place: ContentPlace;
  readonly #list: string;
  /** Digests whose content was found to be whole. */
  readonly #whole = new Set<string>();
  /** Copies that were not served when it was last looked. */
  #unused: ReadonlySet<string> = new Set();
  #skills: readonly CurrentSkill[];
  #roots: readonly Root[];
  #saidAway = false;
  /** A copy of what is served was wrong, and is right again. */
  #isRepaired = false;

  constructor(parts: ServedLibraryParts, place: ContentPlace, list: string) {
    this.#parts = parts;
    this.#place = place;
    this.#list = list;
    this.#skills = readList(list);
    this.#roots = this.#rootsOf(this.#skills);
  }

  get roots(): readonly Root[] {
    return this.#roots;
  }

  /** Rejects while the store is away. What cannot be brought, because the disk is full, keeps no other change from being served. */
  async follow(): Promise<Followed> {
    const skills: CurrentSkill[] = [];
    let failure: Followed['failure'];
    for (const skill of await this.#parts.library.current()) {
      try {
        if (await this.#bring(skill)) skills.push(skill);
      } catch (error) {
        failure ??= { error };
        skills.push(...this.#skills.filter(({ name }) => name === skill.name));
      }
    }
    skills.sort((a, b) => (a.name < b.name ? -1 : 1));
    if (this.#saidAway && failure === undefined)
      this.#parts.log({ level: 'info', message: 'The library is followed again' });
    this.#saidAway &&= failure !== undefined;
    const isChanged = this.#isRepaired || JSON.stringify(skills) !== JSON.stringify(this.#skills);
    this.#isRepaired = false;
    if (!isChanged) return { isChanged, failure };
    this.#skills = skills;
    this.#roots = this.#rootsOf(skills);
    finish(writePrivateFile(this.#list, [Buffer.from(`${JSON.stringify({ version: 1, skills })}\n`)]));
    return { isChanged, failure };
  }

  /** Nothing is believed to be whole any more. */
  doubt(): void {
    this.#whole.clear();
  }

  /** Deletes copies that were served neither now nor when it was called before. Never while others are brought. */
  sweep(): void {
    const current = new Set(this.#skills.map(({ digest }) => digest));
    const kept = keptDigests(this.#place);
    const idle = kept.filter((digest) => !current.has(digest));
    const going = new Set(idle.filter((digest) => this.#unused.has(digest)));
    this.#unused = new Set(idle);
    if (going.size === 0) return;
    for (const digest of going) this.#whole.delete(digest);
    pruneContent(this.#place, new Set(kept.filter((digest) => !going.has(digest))));
  }

  /** Said once. */
  noteAway(error: unknown): void {
    if (this.#saidAway) return;
    this.#saidAway = true;
    this.#parts.log({ level: 'warn', message: `The library is served as it was seen last: ${messageOf(error)}` });
  }

  #rootsOf(skills: readonly CurrentSkill[]): readonly Root[] {
    if (skills.length === 0) return [];
    const locked = skills.map(({ name, digest }) => ({ name, path: name, digest }));
    const source = { source: 'library', ref: null, commit: '', paths: [], skills: locked };
    return [{ ...pinnedRoot(source, 'library', this.#place), label: 'library', isLibrary: true }];
  }

  /** False: the store does not have its bytes. */
  async #bring({ name, digest }: CurrentSkill): Promise<boolean> {
    // Another process on this data directory may have deleted it.
    if (this.#whole.has(digest) && isKept(this.#place, digest)) return true;
    const { differences } = await checkSkill(this.#place, digest);
    if (differences.length === 0) {
      this.#whole.add(digest);
      return true;
    }
    const version = await this.#parts.library.findVersion(name, digest);
    const bytes = version && (await this.#parts.library.readFiles(version.files));
    if (version === undefined || bytes === undefined || version.files.some(({ sha256 }) => !bytes.has(sha256)))
      return this.#refuse(name, digest);
    if ((await this.#keep(version, bytes)) !== digest) return this.#refuse(name, digest);
    this.#whole.add(digest);
    this.#isRepaired ||= this.#skills.some((served) => served.digest === digest);
    return true;
  }

  /** The digest of what was kept. */
  async #keep({ name, digest, files }: Version, bytes: ReadonlyMap<string, Buffer>): Promise<string> {
    const workshop = new Workshop(this.#place);
    try {
      const skill = workshop.open();
      for (const { path, sha256, executable } of files)
        skill.add(path, bytes.get(sha256) ?? Buffer.alloc(0), executable);
      const made = skill.close(name);
      if (made.digest === digest) await workshop.keep([made]);
      return made.digest;
    } catch (error) {
      // Another process on this data directory may have been faster: then all of it is there.
      if (codeOf(error) === undefined || (await checkSkill(this.#place, digest)).differences.length > 0) throw error;
      return digest;
    } finally {
      workshop.discard();
    }
  }

  #refuse(name: string, digest: string): false {
    const message = `Cannot serve "${name}" of the library: the store does not have the bytes of its version ${digest}`;
    this.#parts.log({ level: 'warn', message });
    return false;
  }
}

const MOST_LIST_BYTES = 16 * 1_048_576;

/** What was seen last; nothing where that cannot be read. */
function readList(path: string): readonly CurrentSkill[] {
  const bytes = finish(readPrivateFile(path, MOST_LIST_BYTES));
  if (bytes === undefined) return [];
  try {
    const list: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(list) && Array.isArray(list.skills) ? list.skills.filter(isCurrentSkill) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const isCurrentSkill = (value: unknown): value is CurrentSkill =>
  isRecord(value) &&
  typeof value.name === 'string' &&
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value.name) &&
  typeof value.digest === 'string' &&
  /^sha256:[0-9a-f]{64}$/.test(value.digest);
