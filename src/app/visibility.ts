// Who may see which document skills, as the settings say it (N4). An entry that cannot be meant as it is written stops the start: the
// skills that it is about would be served to everyone.
import type { Catalog } from '../catalog/catalog.ts';
import { resolveRoots } from '../catalog/roots.ts';
import type { Root } from '../catalog/scan/root.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { normaliseName } from '../document/names.ts';
import {
  createVisibility,
  isRootOf,
  type LimitedSkills,
  type SkillLimit,
  type Visibility,
} from '../repertoire/visibility.ts';
import type { Settings, VisibleSetting } from '../settings/config.ts';
import { toOneLine } from '../text/one-line.ts';
import { fail, ok, type Result } from '../values/result.ts';

interface Limiting extends Pick<Settings, 'visible' | 'rootRequest'> {
  /** Clients may be let in with a token that is not good for reading (O5). */
  readonly http: Pick<Settings['http'], 'oauth'>;
}

/** `undefined`: nothing is limited. The failure is one sentence that names the entry by its place. */
export function resolveVisibility({ visible, rootRequest, http }: Limiting): Result<Visibility | undefined, string> {
  const roots = visible.length === 0 ? [] : resolveRoots(rootRequest);
  const limits: SkillLimit[] = [];
  for (const [at, entry] of visible.entries()) {
    const skills = limitedSkills(entry);
    // Sources and the library come and go; which roots there are is known.
    if (skills.kind === 'root' && !roots.some((root) => isRootOf(skills, root))) return unknownRoot(at, skills, roots);
    limits.push({ skills, roles: entry.roles });
  }
  return ok(createVisibility(limits, http.oauth !== undefined));
}

/** Entries about what is not there: a sentence for each. It may come later; but a mistyped name hides nothing. */
export const describeUnmatched = (visible: Settings['visible'], catalog: Pick<Catalog, 'current' | 'roots'>) =>
  visible.flatMap((entry, at) => findUnmatched(at, limitedSkills(entry), catalog));

function limitedSkills({ root, rootPath, source, names }: VisibleSetting): LimitedSkills {
  if (root !== undefined) return { kind: 'root', label: root, path: rootPath ?? root };
  if (source !== undefined) return { kind: 'source', source };
  return names === undefined ? { kind: 'library' } : { kind: 'names', names };
}

const placeOf = (at: number): string => `entry ${at + 1} of "visible"`;

function unknownRoot(at: number, { label }: { readonly label: string }, roots: readonly Root[]) {
  const known = [...new Set(roots.map((root) => root.label))].join(', ');
  return fail(
    `Cannot limit who sees skills: ${placeOf(at)} names the root "${toOneLine(label, 200)}", which is not one of ${known}`,
  );
}

function findUnmatched(
  at: number,
  skills: LimitedSkills,
  { current, roots }: Pick<Catalog, 'current' | 'roots'>,
): readonly string[] {
  const warning = (what: string) => `${placeOf(at)} limits ${what} yet`.replace(/^e/, 'E');
  if (skills.kind === 'names')
    return skills.names
      .filter((name) => !isThere(name, current))
      .map((name) => warning(`"${toOneLine(name, 100)}", which no skill is called`));
  if (skills.kind !== 'source' || roots.some(({ root }) => isRootOf(skills, root))) return [];
  return [warning(`the source "${toOneLine(skills.source, 200)}", which is not one of the sources here`)];
}

function isThere(name: string, { findByName, findFolder, skills, unnamed }: Snapshot): boolean {
  const key = normaliseName(name);
  return (
    findByName(name) !== undefined ||
    findFolder(name) !== undefined ||
    [...skills, ...unnamed].some((skill) => skill.key === key)
  );
}
