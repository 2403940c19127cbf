// Which file a host keeps its MCP servers in on this machine, and whether the host seems to be installed here.
import { dirname, join } from 'node:path';
import type { Host, HostConfig } from '../host.ts';
import { type FolderVariables, findVariableFolder, resolveSkillFolders, resolveUserPath } from '../host-paths.ts';
import { HOSTS } from '../hosts.ts';

export interface ConnectableHost extends Host {
  readonly config: HostConfig;
}

export type ConfigScope = 'user' | 'project';

export interface Machine extends FolderVariables {
  readonly platform: string;
  readonly exists: (path: string) => boolean;
}

export const CONNECTABLE_HOSTS: readonly ConnectableHost[] = HOSTS.flatMap(({ config, ...host }) =>
  config === undefined ? [] : [{ ...host, config }],
);

/** `undefined`: it has no such file. */
export function findConfigPath(
  { config, moved }: ConnectableHost,
  scope: ConfigScope,
  project: string,
  machine: Machine,
): string | undefined {
  const paths =
    scope === 'project'
      ? (config.projectFiles ?? []).map((label) => join(project, label))
      : userFiles(config, machine).map((label) => resolvePath(label, config.moved ?? moved, machine));
  return paths.find(machine.exists) ?? paths.at(config.createsLast ? -1 : 0);
}

export interface Installed {
  readonly isHere: boolean;
  /** The folder that tells. */
  readonly folder: string;
}

export function findInstalled(host: ConnectableHost, machine: Machine): Installed {
  const { config, moved } = host;
  const file = findConfigPath(host, 'user', '', machine) ?? '';
  const folders = config.installedWhen?.map((label) => resolvePath(label, moved, machine)) ?? [dirname(file)];
  const found = folders.find(machine.exists);
  return { isHere: found !== undefined || machine.exists(file), folder: found ?? folders[0] ?? '' };
}

/** Folders that hosts share: whether one of these exists tells nothing of any host. */
const SHARED_FOLDERS = ['~/.agents/', '~/.config/agents/', '~/.claude/'];

/** Of any host of the table; one that `connect` does not know by the folder that its skills are in. */
export function isInstalled({ config, ...host }: Host, machine: Machine): boolean {
  if (config !== undefined) return findInstalled({ ...host, config }, machine).isHere;
  return resolveSkillFolders(host, machine).some(
    ({ label, path }) =>
      path !== undefined && !SHARED_FOLDERS.some((shared) => label.startsWith(shared)) && machine.exists(dirname(path)),
  );
}

const userFiles = ({ files, filesOn = {} }: HostConfig, { platform }: Machine): readonly string[] =>
  filesOn[platform as keyof typeof filesOn] ?? files; // any other platform has no key there

const appData = '%APPDATA%/';

function resolvePath(label: string, moved: Host['moved'], machine: Machine): string {
  if (!label.startsWith(appData)) return resolveUserPath(label, moved, machine);
  return join(findAppData(machine), label.slice(appData.length));
}

function findAppData(machine: Machine): string {
  const { platform, home } = machine;
  if (platform === 'darwin') return join(home, 'Library/Application Support');
  if (platform === 'win32') return findVariableFolder('APPDATA', machine) ?? join(home, 'AppData/Roaming');
  return findVariableFolder('XDG_CONFIG_HOME', machine) ?? join(home, '.config');
}
