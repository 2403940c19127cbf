// What a server with these options would serve, as `connect` tells it: the catalog is opened once and looked at.

import { type BadRoot, findBadRoots } from '../../app/bad-roots.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { pathExists } from '../../hosts/connect/config-file.ts';
import type { Settings } from '../../settings/config.ts';
import { findNearest } from '../../text/nearest.ts';
import type { CommandContext } from './command.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { createDoctorLine } from './server-command.ts';

export interface Served {
  /** Document skills. */
  readonly skillCount: number;
  /** Where typed skills come from; how many the operator's file brings is not known, because it is not executed for this. */
  readonly typed: TypedSources;
  /** Where it looked: each label once, as configured. */
  readonly folders: readonly ServedFolder[];
  /** Given by `--root`, but not there or not to be searched. */
  readonly badRoots: readonly BadRoot[];
  /** Given by `--pin`, but no skill has that name. */
  readonly unknownPins: readonly { readonly name: string; readonly nearest: string | undefined }[];
  /** What lies in the project: seen only by a server that knows the project. */
  readonly skillsOfProject: number;
  /** It looks into folders of the project at all. */
  readonly looksInProject: boolean;
  /** The command that tells more. */
  readonly doctor: string;
}

export interface TypedSources {
  /** Given by `--config`. */
  readonly config: { readonly path: string; readonly isMissing: boolean } | undefined;
  /** By `--builtin`: their names. */
  readonly builtin: 'all' | readonly string[];
}

interface ServedFolder {
  readonly label: string;
  readonly skills: number;
  readonly isOfProject: boolean;
}

export async function findServed(context: CommandContext): Promise<Served> {
  const catalog = await openCatalogOnce(context, { saysItself: true });
  const served = describeServed(catalog, context.settings, createDoctorLine(context));
  catalog.close();
  return served;
}

function describeServed({ current, roots }: Catalog, settings: Settings, doctor: string): Served {
  const names = current.skills.map(({ name }) => name);
  return {
    skillCount: current.skills.length,
    typed: findTypedSources(settings),
    folders: foldersOf(roots),
    badRoots: findBadRoots({ roots }, settings),
    unknownPins: settings.pinned
      .filter((name) => current.findByName(name) === undefined)
      .map((name) => ({ name, nearest: findNearest(name, names, 1)[0] })),
    skillsOfProject: current.skills.filter(({ isOfProject }) => isOfProject).length,
    looksInProject: roots.some(({ root }) => root.boundary !== undefined),
    doctor,
  };
}

/** Over stdio there are no built-in skills unless they are asked for (B6). */
const findTypedSources = ({ configFile, builtin = [] }: Settings): TypedSources => ({
  config: configFile === undefined ? undefined : { path: configFile, isMissing: !pathExists(configFile) },
  builtin,
});

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
