// A name that no agent has: a name that is taken gets a number. Pure.
import type { Agent } from './shapes.ts';

/** What the server takes at most. */
const LONGEST = 64;

/** Names of revoked agents are free again. */
export function freeName(wanted: string, agents: readonly Pick<Agent, 'name' | 'state'>[]): string {
  const taken = new Set(agents.filter(({ state }) => state !== 'revoked').map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) {
    const end = `-${number}`;
    name = wanted.slice(0, LONGEST - end.length) + end;
  }
  return name;
}
