import { defineConfig } from 'vitest/config';

/** A limit only ends what hangs: it is no promise on speed. Those are measured in bench/. */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 90_000, interval: 20 } },
};

/** What it replaces would stay replaced for the files after it. */
const replacesAModule = ['src/catalog/freshness-polled.test.ts'];

export default defineConfig({
  test: {
    // Most of them wait for processes and files: four at a time are faster than three, also on two cores (261 against 285 s).
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...PATIENCE,
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: replacesAModule,
          // Files share a process: half of the time of a small test is the start of its own (26 against 11 s of CPU for 60 files).
          isolate: false,
        },
      },
      {
        test: {
          ...PATIENCE,
          name: 'program',
          include: ['tests/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts', ...replacesAModule],
          globalSetup: ['tests/setup/program.ts'],
        },
      },
    ],
  },
});
