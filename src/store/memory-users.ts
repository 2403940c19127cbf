// Users in memory, for tests and for running without a store. Nothing survives the process.
import { emailKeyOf, type NewUser, type UserStore } from '../builtin/user-store.ts';

export interface MemoryUsers extends UserStore {
  has(id: string): boolean;
  /** What is theirs goes with them. */
  onDeleted(listener: (id: string) => void): void;
}

export function createMemoryUsers(): MemoryUsers {
  const users = new Map<string, NewUser>();
  const byEmail = new Map<string, NewUser>();
  const listeners: ((id: string) => void)[] = [];
  return {
    has: (id) => users.has(id),
    onDeleted: (listener) => void listeners.push(listener),
    async create(user) {
      const key = emailKeyOf(user.email);
      if (byEmail.has(key)) return false;
      users.set(user.id, user);
      byEmail.set(key, user);
      return true;
    },
    async find(id) {
      const user = users.get(id);
      if (user === undefined) return undefined;
      const { passwordHash: _secret, ...shown } = user;
      return shown;
    },
    async findPassword(email) {
      const user = byEmail.get(emailKeyOf(email));
      return user && { userId: user.id, passwordHash: user.passwordHash };
    },
    async delete(id) {
      const user = users.get(id);
      if (user === undefined) return false;
      users.delete(id);
      byEmail.delete(emailKeyOf(user.email));
      for (const listener of listeners) listener(id);
      return true;
    },
  };
}
