// What a server with these options would serve, as `connect` tells it: the catalog is opened once and looked at.
import type { Catalog } from '../catalog/catalog.ts';
import type { Settings } from '../config.ts';
import type { CommandContext } from './command.ts';
import { createDoctorLine } from './connect-server.ts';
import { findNearest } from './nearest.ts';
import { openOnce } from './open-once.ts';

export interface Served {
  readonly skillCount: number;
  /** A file of the operator's own may bring some: it is not executed for this. */
  readonly hasTypedSkills: boolean;
  /** Where it looked: each label once, as configured. */
  readonly folders: readonly ServedFolder[];
  /** Given by `--root`, but not there or not to be searched. */
  readonly badRoots: readonly { readonly label: string; readonly isMissing: boolean }[];
  /** Given by `--pin`, but no skill has that name. */
  readonly unknownPins: readonly { readonly name: string; readonly nearest: string | undefined }[];
  /** What lies in the project: seen only by a server that knows the project. */
  readonly skillsOfProject: number;
  /** It looks into folders of the project at all. */
  readonly looksInProject: boolean;
  /** The command that tells more. */
  readonly doctor: string;
}

interface ServedFolder {
  readonly label: string;
  readonly skills: number;
  readonly isOfProject: boolean;
}

export async function findServed(context: CommandContext): Promise<Served> {
  const catalog = await openOnce(context);
  const served = describeServed(catalog, context.settings, createDoctorLine(context));
  catalog.close();
  return served;
}

function describeServed({ current, roots }: Catalog, settings: Settings, doctor: string): Served {
  const { given } = settings.rootRequest;
  const names = current.skills.map(({ name }) => name);
  return {
    skillCount: current.skills.length,
    hasTypedSkills: settings.configFile !== undefined,
    folders: foldersOf(roots),
    badRoots: roots
      .filter(({ root, state }) => state !== 'found' && given.includes(root.label))
      .map(({ root, state }) => ({ label: root.label, isMissing: state === 'missing' })),
    unknownPins: settings.pinned
      .filter((name) => current.findByName(name) === undefined)
      .map((name) => ({ name, nearest: findNearest(name, names, 1)[0] })),
    skillsOfProject: current.skills.filter(({ isOfProject }) => isOfProject).length,
    looksInProject: roots.some(({ root }) => root.boundary !== undefined),
    doctor,
  };
}

/** A folder of the project is looked for in the project's parents, too, under the same label. */
function foldersOf(roots: Catalog['roots']): readonly ServedFolder[] {
  const byLabel = new Map<string, ServedFolder>();
  for (const { root, skills } of roots) {
    const { label, boundary } = root;
    const before = byLabel.get(label)?.skills ?? 0;
    byLabel.set(label, { label, skills: before + skills, isOfProject: boundary !== undefined });
  }
  return [...byLabel.values()];
}
