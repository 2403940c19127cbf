// A transaction whose steps are sent together is whole or absent, whichever of them fails, and says why, on both databases (F3).
import { describe, expect, test } from 'vitest';
import { plain, type Sql, type Steps, sql, unread } from '../../../src/store/sql.ts';
import { onDatabase } from './on-database.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const note = (name: string) => sql`INSERT INTO notes (name) VALUES (${name})`;
const SELECT_NAMES = plain('SELECT name FROM notes ORDER BY name');
const namesIn = async (database: Sql) => (await database.read(SELECT_NAMES)).map(({ name }) => name);

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const onNotes = async (work: (database: Sql) => Promise<void>): Promise<void> => {
    await onDatabase(await world.place(kind), async (database) => {
      await database.write(function* () {
        yield plain('CREATE TABLE notes (name TEXT PRIMARY KEY)');
        yield note('first');
      });
      await work(database);
      // The connection is as good as before.
      await database.write(function* () {
        yield unread(note('last'));
      });
      expect(await namesIn(database)).toEqual(['first', 'last']);
    });
  };
  /** Everything that this test writes beside `first` is taken back. */
  const expectNothing = (steps: () => Steps<unknown>, reason: RegExp) =>
    onNotes(async (database) => {
      await expect(database.write(steps)).rejects.toThrow(reason);
      expect(await namesIn(database)).toEqual(['first']);
    });

  test('a step whose rows are not used fails the whole, with its own reason and not that of a later step (F3)', () =>
    expectNothing(function* () {
      yield unread(note('a'));
      yield unread(note('first'));
      yield unread(note('b'));
      yield SELECT_NAMES;
      yield note('c');
    }, /does not take its values/));

  test('it fails the commit, too, when nothing comes behind it (F3)', () =>
    expectNothing(function* () {
      yield note('a');
      yield unread(note('first'));
      yield unread(note('b'));
    }, /does not take its values/));

  test('what throws behind such a step takes it back (F3)', () =>
    expectNothing(function* () {
      yield note('a');
      yield unread(note('b'));
      throw new Error('a fault of ours');
    }, /a fault of ours/));

  test('a step that waits sees what was written by those before it', () =>
    onNotes(async (database) => {
      const names = await database.write(function* () {
        yield unread(note('a'));
        yield unread(note('b'));
        const rows = yield SELECT_NAMES;
        yield unread(plain("DELETE FROM notes WHERE name <> 'first'"));
        return rows.map(({ name }) => name);
      });
      expect(names).toEqual(['a', 'b', 'first']);
    }));
});
