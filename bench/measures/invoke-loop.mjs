// Invokes typed skills of the built library without a log, in turn with their floor, and prints the best round of each as
// JSON, in µs per call. The floor: check the input, await the function, check the output, with the same schemas.
//   node invoke-loop.mjs LIBRARY ROUNDS CALLS    LIBRARY is the URL of its entry for typed skills
import { z } from 'zod';

const [library, ...counts] = process.argv.slice(2);
const [rounds, calls] = counts.map(Number);
const { createRuntime, defineSkill } = await import(library);
const step = z.object({ title: z.string().min(1).max(200), done: z.boolean() });

const createTask = defineSkill({
  name: 'create_task',
  description: 'Creates a task.',
  category: 'task_management',
  input: z.object({
    user_id: z.guid(),
    title: z.string().trim().min(1).max(200),
    description: z.string().max(2000).nullable().default(null),
    priority: z.int().min(1).max(5).default(1),
    due_date: z.iso.datetime({ offset: true }).nullable().default(null),
    steps: z.array(step).max(100).default([]),
  }),
  output: z.object({
    task_id: z.guid(),
    title: z.string(),
    status: z.enum(['open', 'done']),
    priority: z.int(),
    created_at: z.iso.datetime({ offset: true }),
    steps: z.array(step),
  }),
  run: async ({ title, priority, steps }) => ({
    task_id: '6fa459ea-ee8a-4ca4-894e-db77e160355e',
    title,
    status: 'open',
    priority,
    created_at: '2026-11-15T10:00:00Z',
    steps,
  }),
});

const task = {
  user_id: '550e8400-e29b-41d4-a716-446655440000',
  title: 'Write the report',
  description: 'Figures of the third quarter, with a page about what changed.',
  priority: 3,
  due_date: '2026-11-20T17:00:00+01:00',
  steps: [
    { title: 'Collect the figures', done: true },
    { title: 'Write', done: false },
    { title: 'Let somebody read it', done: false },
  ],
};

// The same without formats, limits and defaults: cheap to check, so that our own part weighs more.
const plainStep = z.object({ title: z.string(), done: z.boolean() });

const createPlainTask = defineSkill({
  name: 'create_plain_task',
  description: 'Creates a task.',
  category: 'task_management',
  input: z.object({
    user_id: z.string(),
    title: z.string(),
    description: z.string(),
    priority: z.number(),
    due_date: z.string(),
    steps: z.array(plainStep),
  }),
  output: z.object({
    task_id: z.string(),
    title: z.string(),
    status: z.string(),
    priority: z.number(),
    created_at: z.string(),
    steps: z.array(plainStep),
  }),
  run: createTask.run,
});

const echo = defineSkill({
  name: 'echo',
  description: 'Says what it was told.',
  category: 'execution',
  input: z.object({ text: z.string().max(100) }),
  output: z.object({ text: z.string() }),
  run: async ({ text }) => ({ text }),
});

const runtime = createRuntime({ skills: [createTask, createPlainTask, echo] });
const cases = {
  task: await measure(createTask, task),
  plain: await measure(createPlainTask, task),
  echo: await measure(echo, { text: 'hello' }),
};
await runtime.close();
process.stdout.write(`${JSON.stringify(cases)}\n`);

/** The best of the rounds: whatever else runs on the machine only ever adds. */
async function measure(skill, input) {
  const best = { ours: Number.POSITIVE_INFINITY, floor: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    best.floor = Math.min(best.floor, await timeEach(() => callBare(skill, input)));
    best.ours = Math.min(best.ours, await timeEach(() => callOurs(skill, input)));
  }
  return best;
}

async function timeEach(call) {
  const startedAt = performance.now();
  for (let made = 0; made < calls; made++) await call();
  return ((performance.now() - startedAt) * 1000) / calls;
}

async function callBare({ input: before, output: after, run }, input) {
  const given = before.safeParse(input);
  if (!given.success) throw new Error('the input is wrong');
  const returned = after.safeParse(await run(given.data));
  if (!returned.success) throw new Error('the output is wrong');
  return returned.data;
}

async function callOurs({ name }, input) {
  const answer = await runtime.invoke({ name, input });
  if (!answer.success) throw new Error(answer.failure.message);
  return answer.outputPayload;
}
