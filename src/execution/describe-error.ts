// A thrown thing as text for the log, whatever it is: a throw may be null, a proxy, or an error whose message throws.

const MAX_TEXT = 4_000;

export function describeError(error: unknown): string {
  try {
    return describe(error, 3).slice(0, MAX_TEXT);
  } catch {
    return 'something that cannot be described was thrown';
  }
}

/** Where it was thrown, without its words: for faults whose words may hold what we have no list of secrets for. */
export function traceOf(error: unknown): string {
  const lines = describeError(error).split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).join('\n');
}

function describe(error: unknown, causes: number): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const own = String(error.stack ?? `${error.name}: ${error.message}`);
  return error.cause === undefined || causes === 0 ? own : `${own}\ncaused by: ${describe(error.cause, causes - 1)}`;
}
