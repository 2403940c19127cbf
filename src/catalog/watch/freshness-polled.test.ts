// Where the machine has no watchers left, the disk is looked at regularly instead (F7).
import { expect, test } from 'vitest';
import { folderValue } from '../fixtures/folder-value.ts';
import { createPaperMachine } from '../fixtures/paper-machine.ts';
import { Freshness } from './freshness.ts';

// The limit is the machine's and cannot be lowered for one test; tests/faults does it for a whole process.
test('every two seconds, and says so', async () => {
  const { machine, pass } = createPaperMachine({ canWatch: false });
  let looks = 0;
  const freshness = new Freshness({
    rescanMs: 1_000_000,
    scanner: {
      scan: async (_, { watch } = {}) => {
        looks += 1;
        watch?.(folderValue('/a'));
        return new Map();
      },
      findUnwatchedChanges: () => [],
      folderPaths: () => new Set(),
    },
    onScanned: async () => undefined,
    onTidy: () => undefined,
    onError: () => undefined,
    machine,
  });
  expect(freshness.mode).toBe('off');
  await freshness.start(0);
  expect(freshness.mode).toBe('polled');
  expect(looks).toBe(1);
  await pass(1_999);
  expect(looks).toBe(1);
  await pass(1);
  expect(looks).toBe(2);
  await pass(4_000);
  expect(looks).toBe(4);
  freshness.close();
  await pass(4_000);
  expect(looks).toBe(4);
});
