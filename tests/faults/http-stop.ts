// SIGTERM to a server under load (F11): how it ends, and whether the log knows of every call.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { openStore } from '../../src/store/store.ts';
import { PATIENT } from '../support/patience.ts';
import type { ServeProcess } from '../support/serve-process.ts';
import { invoke, untilHolds } from './serve-world.ts';
import { examine } from './store-processes.ts';

const CALLERS = 16;
/** Calls that would take longer than any stop may, and do not listen to a signal. */
const ENDLESS = 4;
const IDLE_CONNECTIONS = 20;

export interface StopFigures {
  readonly acknowledged: number;
  readonly cancelled: number;
  readonly stopMs: number;
}

/** Stops the server so long after it has acknowledged so many calls. Throws what was promised and does not hold. */
export async function stopUnderLoad(
  server: ServeProcess,
  place: StorePlace,
  { calls, afterMs }: { readonly calls: number; readonly afterMs: number },
): Promise<StopFigures> {
  const load = startCalls(server);
  const idle = Array.from({ length: IDLE_CONNECTIONS }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  await untilHolds(`${calls} calls are acknowledged`, async () => load.words.length >= calls);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const started = performance.now();
  const exit = await server.stop();
  const stopMs = performance.now() - started;
  await load.ended;
  for (const socket of idle) socket.destroy();
  if (exit !== 0) throw new Error(`ended with ${exit} after ${Math.round(stopMs)} ms: ${server.stderr()}`);
  await expectFlushed(place, load.words);
  return { acknowledged: load.words.length, cancelled: load.cancelled(), stopMs };
}

interface Calls {
  /** `ended ID` for each that succeeded. */
  readonly words: readonly string[];
  cancelled(): number;
  /** Everybody has been answered or cut off. */
  readonly ended: Promise<unknown>;
}

function startCalls(server: ServeProcess): Calls {
  const words: string[] = [];
  let cancelled = 0;
  /** Whether to go on. */
  const call = async (skill: string, input: object): Promise<boolean> => {
    try {
      const { status, text } = await invoke(server, skill, input, randomUUID());
      if (status === 200) words.push(`ended ${JSON.parse(text).invocation_id}`);
      else cancelled += 1;
      return status === 200;
    } catch (error) {
      // Cut off, or the server does not listen any more.
      if (!(error instanceof Error && 'code' in error)) throw error;
      cancelled += 1;
      return false;
    }
  };
  const callers = Array.from({ length: CALLERS }, async (_, index) => {
    const next = () => (index % 2 === 0 ? call('echo', { text: 'x' }) : call('nap', { ms: 50 * index }));
    while (await next());
  });
  const endless = Array.from({ length: ENDLESS }, () => call('nap', { ms: 25_000 }));
  return { words, cancelled: () => cancelled, ended: Promise.all([...callers, ...endless]) };
}

/** Looked at before any sweep: a clean stop leaves nothing running. */
async function expectFlushed(place: StorePlace, words: readonly string[]): Promise<void> {
  const store = openStore(place, PATIENT);
  const { invocations } = await store.invocations.list({ status: 'running', limit: 100 }).finally(() => store.close());
  const { missing, torn, total, counted } = await examine(place, words);
  const faults = {
    running: invocations.length,
    missing: missing.length,
    torn: torn.length,
    miscounted: counted - total,
  };
  if (Object.values(faults).some((count) => count !== 0)) throw new Error(JSON.stringify(faults));
}
