import { defineConfig } from 'vitest/config';

const limits = { testTimeout: 20_000, hookTimeout: 30_000 };

/** What it replaces would stay replaced for the files after it. */
const replacesAModule = ['src/catalog/freshness-polled.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['tests/build-program.ts'],
    // Most of them wait for processes and files: four at a time are faster than three, also on two cores (261 against 285 s).
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...limits,
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: replacesAModule,
          // Files share a process: half of the time of a small test is the start of its own (26 against 11 s of CPU for 60 files).
          isolate: false,
        },
      },
      {
        test: {
          ...limits,
          name: 'program',
          include: ['tests/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts', ...replacesAModule],
        },
      },
    ],
  },
});
