// Hosts of the table by the names that people and programs give them. Nothing is guessed.
import type { Host } from './host.ts';
import { HOSTS } from './hosts.ts';

export function findHostByClient(clientName: string): Host | undefined {
  const name = clientName.trim().toLowerCase();
  return HOSTS.find(({ clientNames }) => clientNames?.some((known) => isCalled(known, name)));
}

const isCalled = (known: string, name: string): boolean =>
  known.endsWith('*') ? name.length >= known.length && name.startsWith(known.slice(0, -1)) : name === known;

/** Those whose folders can be asked for. */
export const SKILL_READERS: readonly Host[] = HOSTS.filter(({ folders }) => folders !== undefined);

/** Of those that read skills, the ones of these names in the order of the table; `all` stands for every one. */
export function selectHosts(names: readonly string[]): readonly Host[] {
  const wanted = new Set(names.map(asId));
  return wanted.has(EVERY) ? SKILL_READERS : SKILL_READERS.filter(({ id }) => wanted.has(id));
}

/** As they were given. They are to be refused: nothing is guessed. */
export const findUnknownHosts = (names: readonly string[]): readonly string[] =>
  names.filter((name) => asId(name) !== EVERY && !SKILL_READERS.some(({ id }) => id === asId(name)));

const EVERY = 'all';

const asId = (name: string): string => name.trim().toLowerCase();
