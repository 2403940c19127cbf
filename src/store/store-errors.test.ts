// Every fault of a database, the network and the disk as a sentence; those of our own code stay what they are (F1).
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { RecordRefused, toConnectFailure, toPostgresFailure, toSqliteFailure } from './store-errors.ts';

const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

describe('SQLite', () => {
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
});

describe('PostgreSQL', () => {
  test.each([
    [coded('57P01'), 'is stopping or starting'],
    [coded('42601'), 'PostgreSQL reports an error'],
    [coded('EBADF'), 'PostgreSQL reports an error'],
    [new AggregateError([coded('ECONNREFUSED')]), 'no PostgreSQL answers'],
    [new Error('Connection terminated unexpectedly'), 'is stopping or starting'],
    [new Error('Client was closed and is not queryable'), 'is stopping or starting'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), 'no safe connection'],
    [coded('08P01', 'unsupported startup parameter: statement_timeout'), 'ignore_startup_parameters'],
  ])('%s becomes a sentence (F1)', (error, words) => {
    const failure = toPostgresFailure(error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect((failure as Error).message).toContain(words);
  });

  test('values that do not fit are the record that is refused (X7)', () => {
    expect(toPostgresFailure(coded('22001'))).toBeInstanceOf(RecordRefused);
  });

  test.each([new TypeError('undefined is not a function'), coded('ERR_INVALID_ARG_TYPE')])(
    '%s stays what it is: no outage is made of a fault of ours',
    (error) => {
      expect(toPostgresFailure(error)).toBe(error);
    },
  );

  test('whatever keeps a connection from coming about is an outage: the address is not ours (F1)', () => {
    expect(toConnectFailure(new URIError('URI malformed'))).toBeInstanceOf(StoreUnavailable);
  });
});
