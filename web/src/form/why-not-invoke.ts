// Why the reader may not invoke a typed skill, said before they fill in its form. The server's word decides (X5). Pure.
import type { Definition, Me } from '../model/shapes.ts';

/** A sentence; `undefined` when they may. */
export function whyNotInvoke(me: Me, { name, assigned_to }: Definition): string | undefined {
  if (me.is_operator || me.may_invoke.includes(name)) return undefined;
  if (me.kind === 'user') return 'This skill is not open to users.';
  const roles = me.roles.length === 0 ? 'no role' : listOf(me.roles);
  return `The agent ${me.name} acts as ${roles}; this skill is for ${listOf(assigned_to)}.`;
}

const listOf = (names: readonly string[]): string => names.join(', ');
