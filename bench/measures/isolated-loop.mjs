// Invokes a worker skill of the built library without a log, in turn with its floor, and prints as JSON: the first call, which
// starts the process, in ms; the best round of the others in µs per call; what the waiting process holds in MB. The floor:
// the same text to and from a bare process over the channel of `fork`.
//   node isolated-loop.mjs LIBRARY ROUNDS CALLS    LIBRARY is the URL of its entry for typed skills
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const [library, ...counts] = process.argv.slice(2);
const [rounds, calls] = counts.map(Number);
const { createRuntime, defineSkill } = await import(library);

const echo = defineSkill({
  name: 'echo',
  description: 'Says what it was told, and where.',
  category: 'execution',
  input: z.object({ text: z.string().max(100) }),
  output: z.object({ text: z.string(), pid: z.number() }),
  isolation: 'worker',
  module: new URL('../floors/echo-process.mjs', import.meta.url),
});
const runtime = createRuntime({ skills: [echo] });

const ours = await measure(async () => {
  const answer = await runtime.invoke({ name: 'echo', input: { text: 'hello' } });
  if (!answer.success) throw new Error(answer.failure.message);
  return answer.outputPayload;
});
await runtime.close();

let bare;
const floor = await measure(async () => {
  bare ??= fork(fileURLToPath(echo.module));
  bare.send({ text: 'hello' });
  return await new Promise((resolve) => bare.once('message', resolve));
});
bare.disconnect();

const pairOf = (what) => ({ ours: ours[what], floor: floor[what] });
process.stdout.write(`${JSON.stringify({ call: pairOf('us'), first: pairOf('ms'), memory: pairOf('mb') })}\n`);

/** The best of the rounds: whatever else runs on the machine only ever adds. */
async function measure(call) {
  const [ms, { pid }] = await timed(call);
  let us = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const [roundMs] = await timed(async () => {
      for (let made = 0; made < calls; made++) await call();
    });
    us = Math.min(us, (roundMs * 1000) / calls);
  }
  return { ms, us, mb: residentMb(pid) };
}

async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return [performance.now() - startedAt, result];
}

/** 0 where the system does not say. */
function residentMb(pid) {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(path, 'latin1'))?.[1]) / 1024;
}
