// Tasks in memory, for tests and for running without a store. Nothing survives the process.
import type { Task, TaskStore } from '../builtin/task-store.ts';
import { ok } from '../result.ts';
import type { MemoryUsers } from './memory-users.ts';

export function createMemoryTasks(users: MemoryUsers): TaskStore {
  const tasks = new Map<string, Task>();
  const findOwn = (userId: string, taskId: string): Task | undefined => {
    const task = tasks.get(taskId);
    return task?.userId === userId ? task : undefined;
  };
  users.onDeleted((userId) => {
    for (const task of tasks.values()) if (task.userId === userId) tasks.delete(task.id);
  });
  return {
    async create(task) {
      if (!users.has(task.userId)) return false;
      tasks.set(task.id, task);
      return true;
    },
    find: async (userId, taskId) => findOwn(userId, taskId),
    async list({ userId, status, limit, offset }) {
      if (!users.has(userId)) return undefined;
      const isListed = (task: Task) => task.userId === userId && (status === undefined || task.status === status);
      const listed = [...tasks.values()].filter(isListed).sort(byCreation);
      return { tasks: listed.slice(offset, offset + limit), totalCount: listed.length };
    },
    async update(userId, taskId, decide, updatedAt) {
      const task = findOwn(userId, taskId);
      if (task === undefined) return undefined;
      const decided = decide(task);
      if (!decided.ok) return decided;
      const changed = decided.value;
      if (Object.keys(changed).length === 0) return ok({ task, changed });
      const updated = { ...task, ...changed, updatedAt };
      tasks.set(taskId, updated);
      return ok({ task: updated, changed });
    },
    delete: async (userId, taskId) => findOwn(userId, taskId) !== undefined && tasks.delete(taskId),
  };
}

const byCreation = (a: Task, b: Task): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
