// What upkeep asks beside the skills and the log: the folders of hosts, where they run on this machine, and which skills are ours.
import { ALL_BUILTIN_NAMES } from '../builtin/builtin-names.ts';
import { createHostCopies } from '../catalog/host-copies.ts';
import { changedMs, findStamp } from '../catalog/scan/safe-read.ts';
import { isInstalled } from '../hosts/connect/host-files.ts';
import type { UpkeepPort } from '../operations/upkeep.ts';
import type { Settings } from '../settings/config.ts';

/** `hostsAreHere`: their own folders are known (D10). */
export function createUpkeepPort(
  { rootRequest, showNative }: Pick<Settings, 'rootRequest' | 'showNative'>,
  hostsAreHere: boolean,
): UpkeepPort {
  const builtin: ReadonlySet<string> = new Set(ALL_BUILTIN_NAMES);
  const { home, variables } = rootRequest;
  const machine = {
    home,
    variables,
    platform: process.platform,
    exists: (path: string) => findStamp(path) !== undefined,
  };
  const hostCopies = createHostCopies(rootRequest, { showNative, isInstalled: (host) => isInstalled(host, machine) });
  return {
    hostCopies: (snapshot) => (hostsAreHere ? hostCopies(snapshot) : []),
    changedAt: ({ filePath }) => {
      const stamp = findStamp(filePath);
      return stamp && new Date(changedMs(stamp));
    },
    isBuiltin: (name) => builtin.has(name),
  };
}
