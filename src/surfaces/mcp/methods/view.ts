// Which skills each client is shown unasked, and in which order: the most useful first, none that its host shows already.
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { ClientInfo } from '../../../identity/client-info.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';

export interface ViewOptions {
  /** Names of skills to show first, in this order; in any letter case. */
  readonly pinned?: readonly string[];
  /** Skills that a client's host reads from its own folders anyway (D10). Absent: nothing is left out. */
  readonly findNative?: (snapshot: Snapshot, clientName: string) => ReadonlySet<Skill>;
  /** How often a skill was loaded. Asked once for each state of the skills: a list that moves spoils hosts' caches. */
  readonly loadsOf?: (skill: Skill) => number;
}

/** What one client is shown of the skills, and how many it is not. */
export interface Visible {
  /** Most useful first. */
  readonly skills: readonly Skill[];
  /** How many of them, at the start, the operator pinned. */
  readonly pinned: number;
  /** How many are left out because the host reads them by itself (D10). */
  readonly native: number;
}

export interface View {
  visibleTo(client: ClientInfo): Visible;
  /** Those that the client is offered as prompts, in name order. */
  promptsFor(client: ClientInfo): readonly Skill[];
}

export function createView(repertoire: Repertoire, options: ViewOptions = {}): View {
  const { pinned = [], findNative = () => NOTHING, loadsOf } = options;
  // By the skills that are left out: hosts that leave out the same see the same.
  const known = new WeakMap<Snapshot, Map<ReadonlySet<Skill>, Visible>>();
  return {
    visibleTo: ({ name }) => {
      const { snapshot } = repertoire;
      const native = findNative(snapshot, name);
      const bySet = known.get(snapshot) ?? new Map<ReadonlySet<Skill>, Visible>();
      const visible = bySet.get(native) ?? chooseSkills(snapshot, native, pinned, loadsOf);
      known.set(snapshot, bySet.set(native, visible));
      return visible;
    },
    promptsFor: ({ name }) => {
      const native = findNative(repertoire.snapshot, name);
      const named = repertoire.named();
      return native.size === 0 ? named : named.filter((skill) => !native.has(skill));
    },
  };
}

const NOTHING: ReadonlySet<Skill> = new Set();

/**
 * The operator's choice, then the author's, then those of the project, because they are about the work at hand; what is
 * loaded often before the rest. A skill inside another one is left to search, unless it is pinned: the tool list is asked
 * for before those have been searched for.
 */
function chooseSkills(
  snapshot: Snapshot,
  native: ReadonlySet<Skill>,
  pinned: readonly string[],
  loadsOf: ViewOptions['loadsOf'],
): Visible {
  const first = new Set(
    pinned.flatMap((name) => snapshot.findByName(name) ?? []).filter((skill) => !native.has(skill)),
  );
  // One that lost its name to another cannot be loaded by it, so it is not offered by it.
  const offered = snapshot.skills.filter((skill) => !skill.isNested && snapshot.isNamed(skill));
  const shown = native.size === 0 ? offered : offered.filter((skill) => !native.has(skill));
  const others = first.size === 0 ? shown : shown.filter((skill) => !first.has(skill));
  const skills = [...first, ...inViewingOrder(others, loadsOf)];
  return { skills, pinned: first.size, native: offered.length - shown.length };
}

/** Only the few with a priority are sorted: this is done for every skill before the first answer. */
function inViewingOrder(skills: readonly Skill[], loadsOf: ViewOptions['loadsOf']): readonly Skill[] {
  const ranked = skills.filter(({ priority }) => priority !== 0);
  const plain = ranked.length === 0 ? skills : skills.filter(({ priority }) => priority === 0);
  const byPriority = byPlace(ranked, loadsOf).toSorted((a, b) => b.priority - a.priority);
  return [
    ...byPriority.filter(({ priority }) => priority > 0),
    ...byPlace(plain, loadsOf),
    ...byPriority.filter(({ priority }) => priority < 0),
  ];
}

const byPlace = (skills: readonly Skill[], loadsOf: ViewOptions['loadsOf']): readonly Skill[] => [
  ...byLoads(
    skills.filter((skill) => skill.isOfProject),
    loadsOf,
  ),
  ...byLoads(
    skills.filter((skill) => !skill.isOfProject),
    loadsOf,
  ),
];

/** Equal ones stay in name order. */
const byLoads = (skills: readonly Skill[], loadsOf: ViewOptions['loadsOf']): readonly Skill[] =>
  loadsOf ? skills.toSorted((a, b) => loadsOf(b) - loadsOf(a)) : skills;
