// Every fault of SQLite and the disk as a sentence; those of our own code stay what they are (F1).
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../skills/invocation-log.ts';
import { RecordRefused } from './record-refused.ts';
import { toSqliteFailure } from './sqlite-errors.ts';

const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

test.each([
  [coded('SQLITE_IOERR_WRITE'), 'the disk reports an error'],
  [coded('ENOSPC'), 'the disk is full'],
  [coded('SQLITE_INTERNAL'), 'the database reports an error'],
  [coded('EMFILE'), 'the database reports an error'],
  [new Error('ConnectionFailed("Unable to open connection to local database a.db: 14")'), 'cannot be written'],
  [new Error('ConnectionFailed("something else")'), 'the database reports an error'],
])('%s becomes a sentence (F1)', (error, words) => {
  const failure = toSqliteFailure(error);
  expect(failure).toBeInstanceOf(StoreUnavailable);
  expect((failure as Error).message).toContain(words);
});

test('values that do not fit are the record that is refused (X7)', () => {
  expect(toSqliteFailure(coded('SQLITE_CONSTRAINT_CHECK'))).toBeInstanceOf(RecordRefused);
});

test.each([
  new TypeError('undefined is not a function'),
  coded('ERR_INVALID_ARG_TYPE'),
  new StoreUnavailable('Cannot use the store: it is closed'),
])('%s stays what it is: no outage is made of a fault of ours', (error) => {
  expect(toSqliteFailure(error)).toBe(error);
});
