// What a workflow has in common with the one that it runs in and those inside it, whatever skills stand between them: how deep
// they go. No input can say otherwise: it follows the call itself.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The skill that runs workflows, also inside of one. */
export const WORKFLOW = 'workflow_coordination';

/** The outermost counted. Every level holds all that is inside it, and is checked and recorded with it. */
export const MOST_DEEP = 4;

export const DEPTH_RULE = `workflows go at most ${MOST_DEEP} deep, the outermost counted`;

/** One workflow while it runs. */
export interface WorkflowBranch {
  /** 1 for the outermost. */
  readonly depth: number;
}

export interface WorkflowTree {
  /** Runs a workflow as part of the one that the call is part of, or as the outermost. */
  readonly enter: <T>(run: (branch: WorkflowBranch) => Promise<T>) => Promise<T>;
}

export function createWorkflowTree(): WorkflowTree {
  const current = new AsyncLocalStorage<WorkflowBranch>();
  return {
    enter: (run) => {
      const branch = { depth: (current.getStore()?.depth ?? 0) + 1 };
      return current.run(branch, () => run(branch));
    },
  };
}
