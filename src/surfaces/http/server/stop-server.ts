// A clean stop (F11): no new connections, running requests may end, idle connections go at once, and all of it is bounded.
import type { Server } from 'node:net';
import { sleep } from '../../../async/sleep.ts';
import type { Connections } from './connections.ts';

export interface Stopping {
  readonly server: Server;
  readonly connections: Connections;
  /** Ends the long streams, which would never end by themselves. */
  readonly closeStreams: () => Promise<void>;
  readonly graceMs: number;
}

/** Between two looks at who has finished. */
const LOOK_MS = 20;

export async function stopServer({ server, connections, closeStreams, graceMs }: Stopping): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const late = sleepUnlessDone(graceMs);
  const streams = closeStreams();
  connections.closeQuiet();
  try {
    await Promise.race([streams, late.passed]);
    while (connections.size > 0 && !late.isOver()) {
      await sleep(LOOK_MS);
      connections.closeQuiet();
    }
  } finally {
    late.cancel();
    connections.closeAll();
    await closed;
  }
}

function sleepUnlessDone(milliseconds: number) {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      resolve();
    }, milliseconds);
  });
  return { passed, isOver: () => isOver, cancel: () => clearTimeout(timer) };
}
