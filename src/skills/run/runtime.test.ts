// What createRuntime refuses of its options, in one sentence each.
import { expect, test } from 'vitest';
import { createRuntime, type RuntimeOptions } from './runtime.ts';

test.each<[unknown, string]>([
  [
    { skills: [], builtin: ['task_creation'] },
    'the field "builtin" is not what createBuiltinSkills() gives. Write createBuiltinSkills({ store, names: ["task_creation"] }).',
  ],
  [{ builtin: ['task_creation'] }, 'the field "builtin" is not what createBuiltinSkills() gives.'],
  [{ skill: [] }, 'the field "skill" is unknown. Did you mean "skills"?'],
  [{}, 'the field "skills" is not a list. Write [skill, skill].'],
  [{ skills: {} }, 'the field "skills" is not a list.'],
  [{ skills: [], reserved: 'list_skills' }, 'the field "reserved" is not a list of texts. Write ["one", "two"].'],
  [{ skills: [], agents: 'BillingAgent' }, 'the field "agents" is not a list of texts.'],
  [{ skills: [], policy: 'best-effort' }, 'the field "policy" is no policy. Write "required" or "best_effort".'],
  [{ skills: [], invocationLog: {} }, 'the field "invocationLog" is not a log. Write store.invocations, of a store'],
  [{ skills: [], callerPerMinute: '60' }, 'the field "callerPerMinute" is not a number above 0. Write 60.'],
  [undefined, 'its options are undefined, not an object. Write createRuntime({ … }).'],
])('createRuntime(%o) is refused in a sentence (C)', (options, said) => {
  expect(() => createRuntime(options as RuntimeOptions)).toThrow(`Cannot create the runtime: ${said}`);
});
