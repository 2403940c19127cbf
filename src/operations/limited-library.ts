// The library and the trail as a caller sees them from whom some of its skills are hidden (N4). A hidden name is looked for in the store like
// a missing one, under a name that no skill has: it takes as long, and is answered in the same words.
import type { Caller } from '../identity/caller.ts';
import type { Trail, TrailEntry } from '../identity/trail.ts';
import type { Choice, Library, LibraryRefusal } from '../library/library.ts';
import { noSkill, noVersion } from '../library/refusals.ts';
import { hidesInLibrary, type Repertoire } from '../repertoire/repertoire.ts';
import { fail, type Result } from '../values/result.ts';

const NO_NAME = '-';

/** The library itself where nothing is hidden from this caller. */
export function limitLibrary(library: Library, all: Repertoire, caller: Caller): Library {
  const view = all.for(caller);
  if (view === all) return library;
  const isHidden = (name: string) => hidesInLibrary(view, name);
  const shown = (name: string) => (isHidden(name) ? NO_NAME : name);
  const choose = (change: (choice: Choice) => ReturnType<Library['approve']>) => async (choice: Choice) =>
    toldOf(choice.name, choice.digest, await change({ ...choice, name: shown(choice.name) }));
  return {
    list: async () => (await library.list()).filter(({ name }) => !isHidden(name)),
    current: async () => (await library.current()).filter(({ name }) => !isHidden(name)),
    versions: (name) => library.versions(shown(name)),
    findVersion: (name, digest) => library.findVersion(shown(name), digest),
    readFiles: (files) => library.readFiles(files),
    // By the name alone, whether there is such a skill or not.
    make: async (version) => (isHidden(version.name) ? fail(FOR_OTHERS) : library.make(version)),
    approve: choose((choice) => library.approve(choice)),
    reject: choose((choice) => library.reject(choice)),
    rollBack: choose((choice) => library.rollBack(choice)),
    discard: async (choice) =>
      toldOf(choice.name, choice.digest, await library.discard({ ...choice, name: shown(choice.name) })),
    withdraw: async (name, actor) => toldOf(name, undefined, await library.withdraw(shown(name), actor)),
    remove: async (name, actor) => toldOf(name, undefined, await library.remove(shown(name), actor)),
    policy: () => library.policy(),
    setPolicy: (policy, actor) => library.setPolicy(policy, actor),
  };
}

const FOR_OTHERS: LibraryRefusal = {
  kind: 'state',
  said: 'name: skills of this name are for roles that you do not have; choose another name',
};

/** What is missing is called by the name that was asked for. */
function toldOf<T>(name: string, digest: string | undefined, done: Result<T, LibraryRefusal>) {
  if (done.ok || done.failure.kind !== 'missing') return done;
  return fail(digest === undefined ? noSkill(name) : noVersion({ name, digest }));
}

/** Without what was done with skills that are hidden. Its head is that of all entries. */
export function limitTrail(trail: Pick<Trail, 'list'>, view: Repertoire): Pick<Trail, 'list'> {
  const isShown = ({ action, subject }: TrailEntry) => !action.startsWith('skill.') || !hidesInLibrary(view, subject);
  return {
    list: async (query) => {
      const page = await trail.list(query);
      const entries = page.entries.filter(isShown);
      let { nextCursor } = page;
      // A page that is short where there is more would count what is left out.
      while (entries.length < query.limit && nextCursor !== undefined) {
        const more = await trail.list({ cursor: nextCursor, limit: query.limit - entries.length });
        entries.push(...more.entries.filter(isShown));
        nextCursor = more.nextCursor;
      }
      return { ...page, entries, nextCursor };
    },
  };
}
