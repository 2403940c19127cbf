// How far a workflow has come, for those that watch: steps, and each item of a list as one of its own.
import type { SkillContext } from '../../skills/define/define-skill.ts';

export interface WorkflowProgress {
  /** A step turned out to be this many runs. */
  expect(runs: number): void;
  /** One run has succeeded, or a step was skipped. */
  ran(label: string): void;
  /** A run begins again. */
  retries(label: string, attempt: number): void;
}

export function createWorkflowProgress(steps: number, progress: SkillContext['progress']): WorkflowProgress {
  let total = steps;
  let done = 0;
  return {
    expect: (runs) => {
      total += runs - 1;
    },
    ran: (label) => {
      done += 1;
      progress(done, total, label);
    },
    // A tenth further: clients drop a notice that brings nothing new.
    retries: (label, attempt) => progress(done + attempt / 10, total, `${label}, attempt ${attempt}`),
  };
}
