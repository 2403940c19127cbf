// A program with a typed skill of its own, the built-in ones, and a log in SQLite.
import { z } from 'zod';
import { createBuiltinSkills, createRuntime, defineSkill, openStore } from './repertoire.ts';

const greet = defineSkill({
  name: 'greet',
  description: 'Greets a person by name.',
  category: 'execution',
  input: z.object({ name: z.string().min(1).max(80) }),
  output: z.object({ greeting: z.string() }),
  run: ({ name }) => ({ greeting: `Hello, ${name}` }),
});

const store = await openStore({ data: './data' });
const builtin = createBuiltinSkills({ store });
const runtime = createRuntime({ skills: [greet], builtin, invocationLog: store.invocations });
const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
console.log(answer.success ? answer.outputPayload.greeting : answer.failure.message);
await runtime.invoke({ name: 'user_creation', input: { email: 'ada@example.com', password: 'correct horse' } });
const { invocations } = await store.invocations.list({ limit: 10 });
for (const { invocation } of invocations) console.log(invocation.skillName, invocation.status);
await runtime.close();
await store.close();
