import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['tests/build-program.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
