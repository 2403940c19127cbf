// What a workflow has in common with the one that it runs in and those inside it, whatever skills stand between them: how deep
// they go, and how often they may still run a skill. No input can say otherwise: it follows the call itself.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The skill that runs workflows, also inside of one. */
export const WORKFLOW = 'workflow_coordination';

/** The outermost counted. Every level holds all that is inside it, and is checked and recorded with it. */
export const MOST_DEEP = 4;

export const DEPTH_RULE = `workflows go at most ${MOST_DEEP} deep, the outermost counted`;

/** Of the outermost and all inside it, every item of a list and every further attempt counted. */
export const MOST_RUNS = 500;

/** How often skills may still be run. Taken off before they run. */
export interface RunBudget {
  left: number;
}

/** One workflow while it runs. */
interface WorkflowBranch {
  /** 1 for the outermost. */
  readonly depth: number;
  /** The same for all of a tree. */
  readonly runs: RunBudget;
}

export interface WorkflowTree {
  /** Runs a workflow as part of the one that the call is part of, or as the outermost. */
  readonly enter: <T>(run: (branch: WorkflowBranch) => Promise<T>) => Promise<T>;
}

export function createWorkflowTree(): WorkflowTree {
  const current = new AsyncLocalStorage<WorkflowBranch>();
  return {
    enter: (run) => {
      const { depth, runs } = current.getStore() ?? { depth: 0, runs: { left: MOST_RUNS } };
      const branch = { depth: depth + 1, runs };
      return current.run(branch, () => run(branch));
    },
  };
}
