// Keeps V8's optimising compiler from working on code that only runs while many skills are read for the first time.

/** A start that is over sooner never gets here: loading `node:v8` costs 2 ms. */
const FROM_MS = 12;
/** Longer work is worth optimising: with 10,000 skills it pays off. */
const UNTIL_MS = 600;

/**
 * Measured with 1,000 skills, from the start until all is quiet: 340 ms of CPU instead of 560, and 8 MB less memory.
 * The answer calls it off, for a start that turned out to be short.
 */
export function holdOptimiser(): () => void {
  let release: NodeJS.Timeout | undefined;
  const hold = setTimeout(() => {
    setFlag('--no-opt');
    release = setTimeout(() => setFlag('--opt'), UNTIL_MS).unref();
  }, FROM_MS).unref();
  return () => {
    if (release === undefined) clearTimeout(hold);
  };
}

function setFlag(flag: '--opt' | '--no-opt'): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}
