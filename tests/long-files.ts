// Test files of many seconds each, run by `npm run test:long` and in CI. Every contract is tested without them, too.
export const longFiles: readonly string[] = [
  'examples/engage-red-hat-support/tests/smoke.test.ts',
  'examples/typed-skill/program.test.ts',
  'tests/bench.test.ts',
  'tests/contracts/hammer.test.ts',
  'tests/docs/shell.test.ts',
  'tests/docs/snippets.test.ts',
  'tests/faults/f11-bulk-edits.test.ts',
  'tests/package.test.ts',
  'tests/web/everywhere.test.ts',
  'tests/web/hostile.test.ts',
  'tests/web/layout.test.ts',
  'tests/web/outage.test.ts',
  'tests/web/rights.test.ts',
  'tests/web/robust.test.ts',
];
