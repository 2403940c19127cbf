import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['tests/build-program.ts'],
    // Most of them wait for processes and files: two at a time take half as long, also on two cores.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
