// Which directories are searched for skills, in which order, and how far each may be trusted to follow its own link.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Host } from '../hosts/host.ts';
import { resolveSkillFolders, type SkillFolder } from '../hosts/host-paths.ts';
import { selectHosts } from '../hosts/select-hosts.ts';
import type { Root } from './scan/root.ts';

export interface RootRequest {
  /** Absolute: what `./` means. */
  readonly project: string;
  /** Absolute: what `~/` means. */
  readonly home: string;
  /** As given by `--root`; they replace the defaults. */
  readonly given: readonly string[];
  /** Adds the defaults after the given ones. */
  readonly withDefaults: boolean;
  /** What relative given roots are relative to. */
  readonly workingDirectory: string;
  /** Ids of hosts (hosts.ts) whose folders are looked at after all others; `all` stands for every one. */
  readonly agents: readonly string[];
  /** The environment: some hosts' folders can be moved by a variable. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** In order of precedence: the first root wins on a duplicate name (D1). */
const DEFAULT_ROOTS = [
  './.agents/skills',
  './.agent/skills',
  '~/.agents/skills',
  '~/.agent/skills',
  './.claude/skills',
  '~/.claude/skills',
] as const;

/** Every root once, first mention first. Missing directories stay in the list: they may appear later. */
export function resolveRoots(request: RootRequest): readonly Root[] {
  const given = request.given.map((label) => givenRoot(label, request));
  const byPath = new Map<string, Root>();
  const ofHosts = rootsOf(hostFolders(request), request).map((root): Root => ({ ...root, ofHost: true }));
  for (const root of [...given, ...rootsOf(defaultFolders(request), request), ...ofHosts]) {
    const first = byPath.get(root.path);
    if (first === undefined) byPath.set(root.path, root);
    // A project that is the home directory: that folder is the operator's own, so its link is trusted.
    else if (root.boundary === undefined) byPath.set(root.path, { ...first, boundary: undefined });
  }
  return [...byPath.values()];
}

/** Absolute paths of the folders that the host reads by itself here, whether they exist or not (D10). */
export const nativeFolders = (
  host: Host,
  request: Pick<RootRequest, 'project' | 'home' | 'variables'>,
): readonly string[] => rootsOf(resolveSkillFolders(host, request), request).map(({ path }) => path);

function givenRoot(label: string, request: RootRequest): Root {
  const expanded = label === '~' || label.startsWith('~/') ? join(request.home, label.slice(1)) : label;
  const path = isAbsolute(expanded) ? resolve(expanded) : resolve(request.workingDirectory, expanded);
  return { label, path, boundary: undefined, isGiven: true };
}

function defaultFolders({ given, withDefaults, home }: RootRequest): readonly SkillFolder[] {
  const labels = given.length === 0 || withDefaults ? DEFAULT_ROOTS : [];
  return labels.map((label) => ({ label, path: label.startsWith('~/') ? join(home, label.slice(2)) : undefined }));
}

const hostFolders = (request: RootRequest): readonly SkillFolder[] =>
  selectHosts(request.agents).flatMap((host) => resolveSkillFolders(host, request));

function rootsOf(folders: readonly SkillFolder[], { project }: Pick<RootRequest, 'project'>): readonly Root[] {
  if (folders.length === 0) return [];
  const directories = projectDirectories(project);
  const boundary = directories.at(-1) ?? project;
  return folders.flatMap(({ label, path }): Root[] => {
    if (path !== undefined) return [{ label, path, boundary: undefined }];
    return directories.map((directory) => ({ label, path: join(directory, label), boundary }));
  });
}

/** The project directory and its parents up to the repository's top, nearest first; alone when outside a repository. */
function projectDirectories(project: string): string[] {
  const directories: string[] = [];
  for (let directory = project; ; directory = dirname(directory)) {
    directories.push(directory);
    if (existsSync(join(directory, '.git'))) return directories;
    if (dirname(directory) === directory) return [project];
  }
}
