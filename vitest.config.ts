import { defineConfig } from 'vitest/config';
import { longFiles } from './tests/long-files.ts';
import { PATIENCE_MS } from './tests/support/patience.ts';

const limits = {
  testTimeout: 2 * PATIENCE_MS,
  hookTimeout: 2 * PATIENCE_MS,
  teardownTimeout: PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
  // Files share a process: half of the time of a small test is the start of its own (26 against 11 s of CPU for 60 files).
  isolate: false,
};

/** They read the sources and need no program. */
const sourceTests = ['tests/architecture.test.ts'];

const globalSetup = ['./tests/setup/program.ts', './tests/setup/postgres.ts', './tests/setup/browser.ts'];

export default defineConfig({
  test: {
    // Most of them wait for processes and files: four at a time are faster than three, also on two cores (261 against 285 s).
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...limits,
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'scripts/**/*.test.ts', ...sourceTests],
          exclude: [...longFiles],
        },
      },
      {
        test: {
          ...limits,
          name: 'program',
          include: ['tests/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...longFiles, ...sourceTests],
          globalSetup,
        },
      },
      { test: { ...limits, name: 'long', include: [...longFiles], globalSetup } },
    ],
  },
});
