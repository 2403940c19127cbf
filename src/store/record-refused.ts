// The store is well, but does not take this record: its values do not fit, or what it says is there already.

/** Its message is a sentence without a value, a path, an address or SQL. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
  readonly reason: 'double' | 'unfit';

  constructor(reason: 'double' | 'unfit', message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

export const doubleInvocation = () =>
  new RecordRefused('double', 'Cannot record the invocation: there is one with its id already');

export const doubleResult = () =>
  new RecordRefused('double', 'Cannot record the result: the invocation has one already');

export const unfitValues = (cause?: unknown) =>
  new RecordRefused('unfit', 'Cannot record it: the database does not take its values', cause);
