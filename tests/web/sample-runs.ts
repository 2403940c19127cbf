// What the pages of the tests have to show: a workflow with steps side by side, a failure, a document that was read.
import { randomUUID } from 'node:crypto';
import type { WebWorld } from './web-world.ts';

export interface SampleRuns {
  /** The correlation id of a workflow and its three steps. */
  readonly trace: string;
  readonly failedId: string;
}

export async function makeSampleRuns({ invoke, server }: WebWorld): Promise<SampleRuns> {
  const nap = (id: string, ms: number) => ({ id, skill: 'nap', input: { ms } });
  const trace = randomUUID();
  await invoke(
    'workflow_coordination',
    { steps: [nap('one', 30), { parallel: [nap('two', 60), nap('three', 20)] }] },
    trace,
  );
  const failed = await invoke('always_fails', {});
  await server.ask('/api/documents/sql-review');
  return { trace, failedId: String(failed.invocation_id) };
}
