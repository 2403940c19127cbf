// The built-in skills over a store, all or those that were asked for. Loads the schema library.
import { monotonicMs } from '../async/monotonic-clock.ts';
import { type BuiltinPorts, createBuiltinSkills } from '../builtin/builtin-skills.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import type { Store } from './store.ts';

export interface BuiltinParts extends Pick<BuiltinPorts, 'tokens' | 'ownership' | 'passwords'> {
  readonly store: Pick<Store, 'tasks' | 'users'>;
  readonly planning: NonNullable<BuiltinPorts['planning']>;
}

export function createBuiltinOverStore(
  names: 'all' | readonly string[],
  { store, tokens, ownership, passwords, planning }: BuiltinParts,
): readonly AnySkill[] {
  const { tasks, users } = store;
  const skills = createBuiltinSkills({
    tasks,
    users,
    tokens,
    passwords,
    now: () => new Date(),
    monotonicMs,
    ownership,
    planning,
  });
  return names === 'all' ? skills : skills.filter(({ name }) => names.includes(name));
}
