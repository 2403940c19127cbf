// The library on a database (L1): what there is, and the changes of library-changes.ts.
import type { Library, LibraryRefusal, LibrarySkill, NewVersion } from '../library/library.ts';
import { scrubShapes } from '../text/credentials.ts';
import { fail } from '../values/result.ts';
import {
  approveVersion,
  type ChangeParts,
  discardVersion,
  makeVersion,
  rejectVersion,
  removeSkill,
  rollBack,
  setPolicy,
  withdraw,
} from './library-changes.ts';
import { readFiles, writeFiles } from './library-files.ts';
import { SELECT_POLICY, selectNewest, selectVersions, toVersion } from './library-rows.ts';
import { plain, type Row, type Sql, sql } from './sql.ts';

export const createLibraryStore = (database: Sql, parts: ChangeParts): Library => ({
  list: async () => toSkills(await database.read(SELECT_LIST)),
  current: async () =>
    (await database.read(SELECT_CURRENT)).map(({ name, digest }) => ({ name: String(name), digest: String(digest) })),
  versions: async (name) =>
    (await database.read(selectVersions(sql`WHERE versions.name = ${name} ORDER BY number DESC`))).map(toVersion),
  async findVersion(name, digest) {
    const which = sql`WHERE versions.name = ${name} AND versions.digest = ${digest}`;
    const [row] = await database.read(selectVersions(which));
    return row && toVersion(row);
  },
  readFiles: (files) => readFiles(database, files),
  async make(version) {
    // Before its bytes are there: what is refused leaves none.
    const conflict = await findConflict(database, version);
    if (conflict !== undefined) return fail(conflict);
    for (;;) {
      // Apart, and before: they are no version yet, and one transaction for all of them would take too long.
      await writeFiles(database, version.files);
      const made = await database.write(() => makeVersion(withoutSecrets(version), parts));
      // A version that had some of them was deleted in between.
      if (made !== 'files-gone') return made;
    }
  },
  approve: (choice) => database.write(() => approveVersion(withoutSecrets(choice), parts)),
  reject: (choice) => database.write(() => rejectVersion(withoutSecrets(choice), parts)),
  rollBack: (choice) => database.write(() => rollBack(withoutSecrets(choice), parts)),
  discard: (choice) => database.write(() => discardVersion(choice, parts)),
  withdraw: (name, actor) => database.write(() => withdraw(name, actor, parts)),
  remove: (name, actor) => database.write(() => removeSkill(name, actor, parts)),
  async policy() {
    const [row] = await database.read(SELECT_POLICY);
    return row?.review === 'on' ? 'on' : 'off';
  },
  setPolicy: (policy, actor) => database.write(() => setPolicy(policy, actor, parts)),
});

/** As `makeVersion` sees it, which looks again: another version may come in between. */
async function findConflict(database: Sql, { name, digest, base }: NewVersion): Promise<LibraryRefusal | undefined> {
  if (base === undefined) return undefined;
  const [row] = await database.read(selectNewest(name));
  const newest = row === undefined ? null : String(row.digest);
  return base === newest || digest === newest ? undefined : { kind: 'conflict', base, newest };
}

/** What a person says is kept for good, and shown to others. */
const withoutSecrets = <T extends { readonly message: string }>(said: T): T => ({
  ...said,
  message: scrubShapes(said.message),
});

const SELECT_LIST = plain(`SELECT skills.name, skills.current_digest, versions.digest, versions.state
  FROM repertoire_library_skills AS skills
  JOIN repertoire_library_versions AS versions ON versions.name = skills.name
  WHERE skills.deleted_at IS NULL ORDER BY versions.number`);

const SELECT_CURRENT = plain(`SELECT name, current_digest AS digest FROM repertoire_library_skills
  WHERE current_digest IS NOT NULL AND deleted_at IS NULL`);

/** A row for each version, oldest first. Sorted here: each database has its own rules. */
function toSkills(rows: readonly Row[]): readonly LibrarySkill[] {
  const skills = new Map<string, LibrarySkill>();
  for (const { name: named, current_digest: current, digest, state } of rows) {
    const name = String(named);
    const proposed = skills.get(name)?.proposed ?? [];
    skills.set(name, {
      name,
      current: current === null ? null : String(current),
      newest: String(digest),
      proposed: state === 'proposed' ? [...proposed, String(digest)] : proposed,
    });
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
