// Skips a test and prints why: the usual report of Vitest counts skipped tests and keeps their reasons to itself.
import type { TestContext } from 'vitest';

export function skipAloud({ task, skip }: TestContext, condition: boolean, reason: string): void {
  if (!condition) return;
  console.log(`Skipped "${task.name}": ${reason}`);
  skip(reason);
}
