// What can be said about every host on this machine: where its file is, whether it is installed, whether it is connected.
import { openConfigFile } from './config-file.ts';
import { entryName } from './entry.ts';
import {
  CONNECTABLE_HOSTS,
  type ConfigScope,
  type ConnectableHost,
  findConfigPath,
  findInstalled,
  type Installed,
  type Machine,
} from './host-files.ts';

export interface SurveyedHost extends Installed {
  readonly host: ConnectableHost;
  /** Absolute: its file in this scope. */
  readonly path: string;
  /** The file has our entry. */
  readonly isConnected: boolean;
}

/** Those that have a file in this scope, in the order of the table. */
export async function surveyHosts(
  scope: ConfigScope,
  project: string,
  machine: Machine,
): Promise<readonly SurveyedHost[]> {
  const rows = CONNECTABLE_HOSTS.map(async (host): Promise<readonly SurveyedHost[]> => {
    const path = findConfigPath(host, scope, project, machine);
    if (path === undefined) return [];
    return [{ host, path, ...findInstalled(host, machine), isConnected: await hasEntry(host, scope, path) }];
  });
  return (await Promise.all(rows)).flat();
}

/** The readers of the formats are loaded only when a file has our name in it: most have not. */
async function hasEntry(host: ConnectableHost, scope: ConfigScope, path: string): Promise<boolean> {
  const file = openConfigFile(path);
  if (!file.ok || !file.value.text?.includes(entryName)) return false;
  const { isConnected } = await import('./connect-host.ts');
  return isConnected({ host, scope, path });
}
