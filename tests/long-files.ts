// Test files of many seconds each, run by `npm run test:long` and in CI. Every contract is tested without them, too.
export const longFiles: readonly string[] = [
  'tests/bench.test.ts',
  'tests/contracts/hammer.test.ts',
  'tests/docs/shell.test.ts',
  'tests/faults/f11-bulk-edits.test.ts',
  'tests/package.test.ts',
  'tests/web/everywhere.test.ts',
  'tests/web/hostile.test.ts',
  'tests/web/outage.test.ts',
];
