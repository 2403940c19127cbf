// An agent that may invoke nothing is told of at the start (X5).
import { expect, test } from 'vitest';
import { testSkill } from '../skills/fixtures/test-skill.ts';
import { createRuntime } from '../skills/run/runtime.ts';
import { explainNoSkills } from './typed-skills.ts';

const assigned = testSkill({ name: 'assigned', assignedTo: ['TaskAgent', 'Gardener'] });
const open = (...skills: readonly ReturnType<typeof testSkill>[]) => createRuntime({ skills, agents: ['Gardener'] });

test.each([
  ['TaskAgnt', 'did you mean "TaskAgent"?'],
  ['AuthAgent', 'they are for TaskAgent, Gardener'],
])('says that %s may invoke nothing, and who may (X5)', (agent, advice) => {
  expect(explainNoSkills(open(assigned), agent)).toBe(
    `No typed skill may be invoked by the agent "${agent}": ${advice}`,
  );
});

test.each([
  ['an assigned agent', open(assigned), 'Gardener'],
  ['any agent where a skill is for all', open(assigned, testSkill()), 'Stranger'],
  ['the operator', open(assigned), undefined],
  ['an agent where no skill is', open(), 'Stranger'],
])('has nothing to say about %s (X5)', (_who, runtime, agent) => {
  expect(explainNoSkills(runtime, agent)).toBeUndefined();
});
