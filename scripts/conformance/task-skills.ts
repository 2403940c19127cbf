// The tools that the conformance suite wants for tasks, as typed skills.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type AnySkill, defineSkill, failure } from '../../src/skills.ts';

const text = z.object({ text: z.string() });
const nothing = z.object({});
const common = { category: 'execution', output: text, durable: {}, timeoutSeconds: 120 } as const;

const slowCompute = defineSkill({
  ...common,
  name: 'slow_compute',
  description: 'Takes so many seconds.',
  input: z.object({ seconds: z.number().min(0).max(100), label: z.string() }),
  run: async ({ seconds, label }, { signal }) => {
    await sleep(seconds * 1_000, undefined, { signal });
    return { text: `${label} took ${seconds} s` };
  },
});

const failingJob = defineSkill({
  ...common,
  name: 'failing_job',
  description: 'Fails after a second.',
  input: nothing,
  failureModes: ['EXTERNAL_SERVICE_ERROR'],
  run: async (_input, { signal }) => {
    await sleep(1_000, undefined, { signal });
    return failure('EXTERNAL_SERVICE_ERROR', { service: 'the job' });
  },
});

/** No skill's failure is a fault of the protocol: `asking-tools.ts` makes one of it. */
const protocolErrorJob = defineSkill({
  ...common,
  name: 'protocol_error_job',
  description: 'Ends with a fault of the protocol.',
  input: nothing,
  run: async () => failure('INTERNAL_ERROR', {}),
});

const confirm = z.object({ confirm: z.boolean() });

const confirmDelete = defineSkill({
  ...common,
  name: 'confirm_delete',
  description: 'Asks before it deletes.',
  input: z.object({ filename: z.string() }),
  run: async ({ filename }, { ask }) => {
    const replies = await ask({ confirm: { message: `Delete ${filename}?`, schema: confirm } });
    return { text: replies.confirm?.action === 'accept' ? `Deleted ${filename}` : `Kept ${filename}` };
  },
});

const multiInput = defineSkill({
  ...common,
  name: 'multi_input',
  description: 'Asks two questions at once.',
  input: nothing,
  run: async (_input, { ask }) => {
    const name = { message: 'What is your name?', schema: z.object({ name: z.string() }) };
    const replies = await ask({ name, confirm: { message: 'Is that right?', schema: confirm } });
    return { text: JSON.stringify(replies) };
  },
});

/** What `test_tool_with_task` becomes when it knows the name. */
const greetLater = defineSkill({
  ...common,
  name: 'greet_later',
  description: 'Greets in a while.',
  input: z.object({ name: z.string() }),
  run: async ({ name }) => ({ text: `Hello, ${name}!` }),
});

export const taskSkills: readonly AnySkill[] = [
  slowCompute,
  failingJob,
  protocolErrorJob,
  confirmDelete,
  multiInput,
  greetLater,
];
