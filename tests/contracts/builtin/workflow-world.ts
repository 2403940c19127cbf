// Workflows as tests write them: steps of a skill that echoes and of one that gives a secret, and what ran in which order.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { z } from 'zod';
import { type AnySkill, defineSkill } from '../../../src/skills/define/define-skill.ts';
import { failure } from '../../../src/skills/define/failure.ts';
import { secret } from '../../../src/skills/define/secret.ts';
import { openPlanning, type Planning } from './planning-world.ts';

/** A reference to a field of an earlier step's output. */
export const out = (id: string, field = 'value') => `\${steps.${id}.output.${field}}`;

/** A step that echoes. */
export const step = (id: string, value: unknown, more: object = {}) => ({
  id,
  skill: 'echo',
  input: { value, ...more },
});

/** Called at the top of a test file: every test has a world of its own. */
export function useWorkflows() {
  /** What ran, in the order of its begin; `+` begins, `-` ends. */
  const events: string[] = [];
  let planning: Planning | undefined;
  afterEach(async () => {
    await planning?.runtime.close();
    planning = undefined;
    events.length = 0;
  });
  /** `skills` count for the first call of a test. */
  const open = (skills: readonly AnySkill[] = [createEcho(events), vault]): Planning => {
    planning ??= openPlanning({ skills });
    return planning;
  };
  return {
    events,
    open,
    run: async (...steps: readonly unknown[]) => (await open().output('workflow_coordination', { steps })).outputs,
    broken: (...steps: readonly unknown[]) => open().failure('workflow_coordination', { steps }),
  };
}

export const createEcho = (events: string[]) =>
  defineSkill({
    name: 'echo',
    description: 'Gives what it gets; not before the event that it is to wait for.',
    category: 'execution',
    input: z.object({ value: z.unknown(), after: z.string().optional(), code: z.string().optional() }),
    output: z.object({ value: z.unknown() }),
    failureModes: ['NOT_FOUND', 'RATE_EXCEEDED', 'EXTERNAL_SERVICE_ERROR'],
    async run({ value, after, code }, { signal }) {
      events.push(`+${String(value)}`);
      if (after !== undefined) {
        do await nextTurn();
        while (!events.includes(after) && !signal.aborted);
      }
      events.push(`-${String(value)}`);
      if (code === 'NOT_FOUND') return failure('NOT_FOUND', { resource: `thing ${String(value)}` });
      if (code === 'RATE_EXCEEDED') return failure('RATE_EXCEEDED', { retry_after: 9 });
      if (code === 'EXTERNAL_SERVICE_ERROR') return failure('EXTERNAL_SERVICE_ERROR');
      if (code === 'THROW') throw new Error('a text for the log');
      return { value: value ?? null };
    },
  });

const vault = defineSkill({
  name: 'vault',
  description: 'Gives a secret.',
  category: 'authentication',
  assignedTo: ['AuthAgent'],
  input: z.object({}),
  output: z.object({ value: secret(z.string()) }),
  run: () => ({ value: 'open-sesame-1234' }),
});
