// Which document skills a caller may see (N4): the one place that decides it. The operator sees all of them; everyone else
// those that no limit is about, and of the others those of whose every limit they have a role. A client whose token is not good
// for reading sees none (O5).
import type { Catalog } from '../catalog/catalog.ts';
import type { Root } from '../catalog/scan/root.ts';
import type { FoundFolder } from '../catalog/view/found-folder.ts';
import type { Hiding } from '../catalog/view/limit-snapshot.ts';
import { normaliseName } from '../document/names.ts';
import { type Caller, isScoped } from '../identity/caller.ts';
import { digestOf } from '../identity/token.ts';
import { type LimitedCatalog, limitCatalog } from './limited-catalog.ts';

/** What one limit is about: the skills of a root, of a source, of the library, or of these names. */
export type LimitedSkills =
  /** `label`: as it was written. `path`: the same, absolute. */
  | { readonly kind: 'root'; readonly label: string; readonly path: string }
  /** `SOURCE`, or `SOURCE@COMMIT7` for one commit of it. */
  | { readonly kind: 'source'; readonly source: string }
  | { readonly kind: 'library' }
  | { readonly kind: 'names'; readonly names: readonly string[] };

/** Who has none of the roles sees none of the skills. Without any role they are the operator's alone. */
export interface SkillLimit {
  readonly skills: LimitedSkills;
  readonly roles: readonly string[];
}

export interface VisibleView {
  readonly key: string;
  /** The same on every server with the same limits, and on no other. */
  name(): string;
  /** The catalog as it is seen. */
  limit(catalog: Catalog): LimitedCatalog;
}

export interface Visibility {
  /** `undefined`: nothing is hidden from this caller. Callers of one key see the same. */
  viewOf(caller: Caller): VisibleView | undefined;
}

/** `undefined` where there is no limit: then it costs nothing. `hasClients`: tokens of clients may be restricted to scopes. */
export function createVisibility(limits: readonly SkillLimit[], hasClients = false): Visibility | undefined {
  if (limits.length === 0 && !hasClients) return undefined;
  const ofRoles = limits.map(
    ({ skills, roles }): Limit => ({
      ...hidingOf(skills),
      text: JSON.stringify([skillsText(skills), roles]),
      isOpenTo: (caller) => isOpenTo(roles, caller),
    }),
  );
  const all = hasClients ? [...ofRoles, NOT_TO_READ] : ofRoles;
  return {
    viewOf: (caller) => {
      const closed = all.filter((limit) => !limit.isOpenTo(caller));
      if (closed.length === 0) return undefined;
      const hiding: Hiding = {
        hidesRoot: (root) => closed.some(({ hidesRoot }) => hidesRoot(root)),
        hidesFolder: (folder) => closed.some(({ hidesFolder }) => hidesFolder(folder)),
        hidesInLibrary: (name) => closed.some(({ hidesInLibrary }) => hidesInLibrary(name)),
      };
      return {
        key: closed.map((limit) => all.indexOf(limit)).join(' '),
        name: () => nameOf(closed),
        limit: (catalog) => limitCatalog(catalog, hiding),
      };
    },
  };
}

interface Limit extends Hiding {
  /** What it is about, and who has to be whom. */
  readonly text: string;
  readonly isOpenTo: (caller: Caller) => boolean;
}

/** Every document. Versions in the library are opened by scopes of their own (L2), and are not hidden by this one. */
const NOT_TO_READ: Limit = {
  text: 'skills:read',
  isOpenTo: (caller) => isScoped(caller, 'skills:read'),
  hidesRoot: () => true,
  hidesFolder: () => true,
  hidesInLibrary: () => false,
};

/** Other servers are told of it, and nothing of the limits themselves. */
const nameOf = (closed: readonly Limit[]): string =>
  digestOf(JSON.stringify(closed.map(({ text }) => text))).slice(0, 16);

/** As it was written: where a root is may differ from one machine to the next. */
const skillsText = (skills: LimitedSkills): string =>
  JSON.stringify(skills.kind === 'root' ? { kind: skills.kind, label: skills.label } : skills);

/** By name: the role `*`, which opens every typed skill, opens no document that is limited. */
const isOpenTo = (roles: readonly string[], { kind, roles: own, seesAs = own }: Caller): boolean =>
  kind === 'operator' || roles.some((role) => seesAs.includes(role));

function hidingOf(skills: LimitedSkills): Hiding {
  if (skills.kind !== 'names') {
    const hidesInLibrary = () => skills.kind === 'library';
    return { hidesRoot: (root) => isRootOf(skills, root), hidesFolder: () => false, hidesInLibrary };
  }
  const keys = new Set(skills.names.map(normaliseName));
  const hidesInLibrary = (name: string) => keys.has(normaliseName(name));
  return { hidesRoot: () => false, hidesFolder: namedAs(keys), hidesInLibrary };
}

export function isRootOf(skills: Exclude<LimitedSkills, { kind: 'names' }>, root: Root): boolean {
  if (skills.kind === 'library') return root.isLibrary === true;
  if (skills.kind === 'root') return !root.pinned && (root.label === skills.label || root.path === skills.path);
  if (root.pinned === undefined || root.isLibrary) return false;
  return root.label === skills.source || sourceOf(root.label) === skills.source;
}

/** `SOURCE@COMMIT7` without its commit. */
const sourceOf = (label: string): string => label.replace(/@[^@/]{7}$/, '');

/**
 * By the skill's name or its folder's, as `--without` has it; also by a name in a document that cannot be served by it. A folder
 * without a SKILL.md is meant only where it could be asked for by name: directly in a root. One whose SKILL.md is still being
 * written may bear any name: what is in it would be shown as files of the skill around it.
 */
function namedAs(keys: ReadonlySet<string>): (folder: FoundFolder) => boolean {
  return ({ name, skill, unnamed, depth, failure, awaited }) => {
    if (awaited) return true;
    if (depth === 0 || (depth > 1 && failure === 'no-skill-file')) return false;
    const written = (skill ?? unnamed)?.frontmatter.name;
    return (
      keys.has(normaliseName(name)) ||
      (skill !== undefined && keys.has(skill.key)) ||
      (typeof written === 'string' && keys.has(normaliseName(written)))
    );
  };
}
