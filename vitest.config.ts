import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['tests/build-program.ts'],
    // Most of them wait for processes and files: three at a time are faster than two, also on two cores (300 against 340 s).
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
