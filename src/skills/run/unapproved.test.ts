// What a person has to approve never runs by a call, or as a step of another skill (J8).
import { expect, test } from 'vitest';
import { agentCaller } from '../../identity/caller.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { createRuntime } from './runtime.ts';

test('a skill that needs approval is refused as a call and as a step, whoever asks (J8)', async () => {
  const ran: string[] = [];
  const run = async ({ text }: { text: string }) => {
    ran.push(text);
    return { text };
  };
  const careful = testSkill({ name: 'careful', approval: 'required', run: run as never });
  const outer = testSkill({
    name: 'outer',
    run: (async (
      input: object,
      { invoke }: { invoke: (name: string, input: unknown) => Promise<{ success: boolean }> },
    ) => {
      const step = await invoke('careful', input);
      return { text: String(step.success) };
    }) as never,
  });
  const runtime = createRuntime({ skills: [careful, outer] });
  expect(runtime.problems).toEqual([]);
  for (const caller of [undefined, agentCaller('TaskAgent')]) {
    const answer = await runtime.invoke({ name: 'careful', input: { text: 'hi' }, caller });
    expect(answer).toMatchObject({ success: false, failure: { code: 'UNAUTHORIZED' } });
  }
  const stepped = await runtime.invoke({ name: 'outer', input: { text: 'hi' } });
  expect(stepped).toMatchObject({ success: true, outputPayload: { text: 'false' } });
  expect(ran).toEqual([]);
});
