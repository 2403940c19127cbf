import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './tests/support/patience.ts';

const limits = {
  testTimeout: 2 * PATIENCE_MS,
  hookTimeout: 2 * PATIENCE_MS,
  teardownTimeout: PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
  // Files share a process: half of the time of a small test is the start of its own (26 against 11 s of CPU for 60 files).
  isolate: false,
};

/** What it replaces would stay replaced for the files after it. */
const replacesAModule = ['src/catalog/freshness-polled.test.ts'];

/** Many seconds each, and every contract is also tested without them: `npm run test:long`, and .ci/run. */
const long = [
  'tests/bench.test.ts',
  'tests/contracts/documents-scale.test.ts',
  'tests/contracts/hammer.test.ts',
  'tests/docs/shell.test.ts',
  'tests/faults/f11-bulk-edits.test.ts',
  'tests/package.test.ts',
  'tests/web/everywhere.test.ts',
  'tests/web/hostile.test.ts',
  'tests/web/outage.test.ts',
];

const program = './tests/setup/program.ts';
const postgres = './tests/setup/postgres.ts';
const browser = './tests/setup/browser.ts';

export default defineConfig({
  test: {
    // Most of them wait for processes and files: four at a time are faster than three, also on two cores (261 against 285 s).
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...limits,
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: replacesAModule,
        },
      },
      {
        test: {
          ...limits,
          name: 'program',
          include: ['tests/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts', ...replacesAModule],
          exclude: [...long, 'tests/web/**'],
          globalSetup: [program, postgres],
        },
      },
      {
        test: {
          ...limits,
          name: 'web',
          include: ['tests/web/*.test.ts'],
          exclude: long,
          globalSetup: [program, browser],
        },
      },
      { test: { ...limits, name: 'long', include: long, globalSetup: [program, postgres, browser] } },
    ],
  },
});
