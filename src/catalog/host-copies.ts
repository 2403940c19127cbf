// Which skills a host is shown though it has them in folders of its own: with `--show-native` all of these, and always those
// of which the host has another version, because only the same text is taken for the same skill (D10).
import type { Host } from '../hosts/host.ts';
import { SKILL_READERS } from '../hosts/select-hosts.ts';
import { createNativeSkills } from './native-skills.ts';
import { nativeFolders, type RootRequest } from './roots.ts';
import { findStamp, listFolder } from './scan/safe-read.ts';
import type { Skill } from './view/skill.ts';
import type { Snapshot } from './view/snapshot.ts';

interface FoundCopy {
  readonly skill: Skill;
  readonly hosts: readonly string[];
  readonly isSame: boolean;
}

interface Asked {
  readonly showNative: boolean;
  /** What is not on this machine is shown nothing. */
  readonly isInstalled: (host: Host) => boolean;
}

/** Only hosts that tell who they are: of others it is not known what they are shown. */
export function createHostCopies(
  request: RootRequest,
  { showNative, isInstalled }: Asked,
): (snapshot: Snapshot) => readonly FoundCopy[] {
  const findNative = createNativeSkills(request);
  return (snapshot) => {
    const copies = new Map<Skill, { hosts: string[]; isSame: boolean }>();
    const add = (skill: Skill, { title }: Host, isSame: boolean) => {
      const before = copies.get(skill);
      copies.set(skill, { hosts: [...(before?.hosts ?? []), title], isSame: isSame && (before?.isSame ?? true) });
    };
    for (const host of SKILL_READERS) {
      const [client] = host.clientNames ?? [];
      if (client === undefined || !isInstalled(host)) continue;
      const native = findNative(snapshot, client.replace('*', 'repertoire'));
      if (showNative) for (const skill of native) add(skill, host, true);
      for (const skill of findOther(snapshot, nativeFolders(host, request), native)) add(skill, host, false);
    }
    return [...copies].map(([skill, { hosts, isSame }]) => ({ skill, hosts, isSame }));
  };
}

/** Skills whose folder has a namesake with a SKILL.md in these folders, and that are not the host's own. */
function findOther(snapshot: Snapshot, folders: readonly string[], native: ReadonlySet<Skill>): readonly Skill[] {
  const names = new Set<string>();
  for (const folder of folders) {
    const entries = listFolder(folder);
    for (const { name } of entries.ok ? entries.value : [])
      if (findStamp(`${folder}/${name}/SKILL.md`) !== undefined) names.add(name);
  }
  if (names.size === 0) return [];
  return snapshot.skills.filter((skill) => !native.has(skill) && names.has(skill.segments.at(-1) ?? ''));
}
