// The guard inside the process of a worker skill: it works while the skill blocks everything else, and without the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CHANNEL, frameOf, type ProcessSetup } from './protocol.ts';

const entry = fileURLToPath(new URL('./skill-process.ts', import.meta.url));

/** A process whose skill loops without end, with a server that never looks at it. */
async function endOfLoop(changes: Partial<ProcessSetup>): Promise<unknown> {
  const setup: ProcessSetup = {
    module: new URL('../fixtures/worker-skills.mjs', import.meta.url).href,
    exportName: 'spin',
    server: process.pid,
    maxResidentBytes: Number.MAX_SAFE_INTEGER,
    output: { maxBytes: 1_000, maxDepth: 8, maxValues: 100, advice: 'return fewer' },
    ...changes,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', entry, JSON.stringify(setup)], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    detached: true,
  });
  // It was asked for as a pipe, and those go both ways.
  (child.stdio[CHANNEL] as unknown as NodeJS.WritableStream).write(frameOf(0, '{}'));
  const [, signal] = await once(child, 'exit');
  return signal;
}

test('it ends a process that holds too much memory, also where the server cannot see it (A1)', async () => {
  expect(await endOfLoop({ maxResidentBytes: 1_000_000 })).toBe('SIGKILL');
});

test('it ends a process whose server has gone (F11)', async () => {
  expect(await endOfLoop({ server: 1 })).toBe('SIGKILL');
});
