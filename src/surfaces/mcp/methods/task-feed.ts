// How tasks stand, told to those that listen: each state once, wherever the run is carried out (J4).
import { hasStarted } from '../../../skills/durable/run-rights.ts';
import type { Runs } from '../../../skills/durable/runs.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { isUuid } from '../../../values/uuid.ts';
import { canShowForm } from '../wire/client-capabilities.ts';
import type { RequestContext, TaskFeed } from '../wire/method.ts';
import { invokerOf } from './invoker.ts';
import { detailedTask } from './run-task.ts';
import type { TaskOptions } from './tasks.ts';

type Asker = Pick<RequestContext, 'era' | 'client' | 'caller'>;

export function createTaskFeed({ runs, ttlMs, agent }: TaskOptions): TaskFeed {
  const look = async (id: string, asker: Asker): Promise<JsonObject | undefined> => {
    const { caller } = invokerOf(asker, agent);
    const run = isUuid(id) ? await runs.find(id, caller) : undefined;
    if (run === undefined || !hasStarted(caller, run)) return undefined;
    const questions = run.result === undefined ? await runs.questions(id, caller) : new Map();
    return detailedTask(run, ttlMs, questions, canShowForm(asker));
  };
  return {
    accept: async (ids, asker) => {
      const accepted: string[] = [];
      for (const id of new Set(ids)) {
        if ((await look(id, asker)) !== undefined) accepted.push(id);
      }
      return accepted;
    },
    watch: (ids, asker, listener) => watchEach(runs, ids, (id) => look(id, asker), listener),
  };
}

/** One look at a time for each: states are told in their order. */
function watchEach(
  runs: Pick<Runs, 'subscribe'>,
  ids: readonly string[],
  look: (id: string) => Promise<JsonObject | undefined>,
  listener: (id: string, task: JsonObject) => void,
): () => void {
  const told = new Map<string, string>();
  const looking = new Map(ids.map((id) => [id, Promise.resolve()]));
  let isOver = false;
  const tell = async (id: string) => {
    const task = isOver ? undefined : await look(id);
    const text = JSON.stringify(task);
    if (isOver || task === undefined || told.get(id) === text) return;
    told.set(id, text);
    listener(id, task);
  };
  const news = (id: string) => {
    const before = looking.get(id);
    // A store that is away is looked at again with the next news; clients that must know ask.
    if (before !== undefined)
      looking.set(
        id,
        before.then(() => tell(id)).catch(() => undefined),
      );
  };
  const stop = runs.subscribe(news);
  // What changed while they were looked up is not missed.
  for (const id of ids) news(id);
  return () => {
    isOver = true;
    stop();
  };
}
