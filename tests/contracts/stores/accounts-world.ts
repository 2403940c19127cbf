// Users and tasks on each kind of store for tests: one database per kind, every user in it new.
import { randomUUID } from 'node:crypto';
import type { Task, TaskStore } from '../../../src/builtin/ports/task-store.ts';
import type { NewUser, UserStore } from '../../../src/builtin/ports/user-store.ts';
import type { PeopleStore } from '../../../src/identity/people.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { createMemoryPeople } from '../../../src/store/fixtures/memory-people.ts';
import { createMemoryTasks } from '../../../src/store/fixtures/memory-tasks.ts';
import { createMemoryUsers } from '../../../src/store/fixtures/memory-users.ts';
import { moment, type StoreWorld } from './store-world.ts';

export const STORE_KINDS = ['memory', 'sqlite', 'postgres'] as const;

type StoreKind = (typeof STORE_KINDS)[number];

export interface Accounts {
  readonly users: UserStore;
  readonly people: PeopleStore;
  readonly tasks: TaskStore;
}

/** Answers how to open them: a kind that keeps anything is opened on the same database every time. */
export function createAccounts(stores: Pick<StoreWorld, 'place' | 'open'>): (kind: StoreKind) => Promise<Accounts> {
  const places = new Map<StoreKind, Promise<StorePlace>>();
  const placeOf = (kind: 'sqlite' | 'postgres') => {
    const place = places.get(kind) ?? stores.place(kind);
    places.set(kind, place);
    return place;
  };
  return async (kind) => {
    if (kind !== 'memory') return stores.open(await placeOf(kind));
    const users = createMemoryUsers();
    return { ...createMemoryPeople(users), tasks: createMemoryTasks(users) };
  };
}

export function userOf(given: Partial<NewUser> = {}): NewUser {
  const id = randomUUID();
  return { id, email: `${id}@example.org`, displayName: null, createdAt: moment(), passwordHash: 'hash', ...given };
}

export function taskOf(userId: string, given: Partial<Task> = {}): Task {
  return {
    id: randomUUID(),
    userId,
    title: 'Water the plants',
    description: null,
    status: 'pending',
    priority: 1,
    dueDate: null,
    createdAt: moment(),
    updatedAt: moment(),
    ...given,
  };
}
