// Which skills the host of an MCP client reads from its own folders anyway, so that nothing shows twice (D10).
import type { Host } from '../hosts/host.ts';
import { findHostByClient } from '../hosts/select-hosts.ts';
import { nativeFolders, type RootRequest, resolveRoots } from './roots.ts';
import { type FileStamp, findLinkTarget, findStamp, listFolder, readSafe, sameStamp } from './scan/safe-read.ts';
import { type HostPlaces, NO_SKILLS } from './view/find-native.ts';
import type { Skill } from './view/skill.ts';
import type { Snapshot } from './view/snapshot.ts';

export type NativeSkills = (snapshot: Snapshot, clientName: string) => ReadonlySet<Skill>;

/** Looks at the disk once for each state of the skills, and for clients of known hosts only. */
export function createNativeSkills(request: RootRequest): NativeSkills {
  const known = new WeakMap<Snapshot, Map<Host, ReadonlySet<Skill>>>();
  const findPlaces = createPlaceFinder(request);
  return (snapshot, clientName) => {
    const host = findHostByClient(clientName);
    if (host === undefined) return NO_SKILLS;
    const byHost = known.get(snapshot) ?? new Map<Host, ReadonlySet<Skill>>();
    const native = byHost.get(host) ?? findAll(snapshot, findPlaces(nativeFolders(host, request)));
    known.set(snapshot, byHost.set(host, native));
    return native;
  };
}

interface FoundPlaces extends HostPlaces {
  /** Real paths of the directories that no scan of ours looks into. */
  readonly unscanned: readonly string[];
}

function findAll(snapshot: Snapshot, places: FoundPlaces): ReadonlySet<Skill> {
  const native = snapshot.findNative(places);
  const copies = places.unscanned.flatMap((directory) => findCopies(snapshot, directory));
  return copies.length === 0 ? native : new Set([...native, ...copies]);
}

/** Skills of which a copy lies directly in the directory, byte for byte, in a folder of the same name. */
function findCopies(snapshot: Snapshot, directory: string): readonly Skill[] {
  const entries = listFolder(directory);
  const names = new Set(
    entries.ok ? entries.value.filter(({ kind }) => kind === 'folder').map(({ name }) => name) : [],
  );
  if (names.size === 0) return [];
  return snapshot.skills.filter((skill) => {
    const name = skill.segments.at(-1) ?? '';
    if (!names.has(name)) return false;
    const path = `${directory}/${name}/SKILL.md`;
    // Most are not there, or differ: a look at the size is cheaper than reading.
    const { bytes } = skill;
    if (findStamp(path)?.size !== bytes.length) return false;
    const read = readSafe(path, [directory], bytes.length);
    return read.ok && read.value.bytes.equals(bytes);
  });
}

function createPlaceFinder(request: RootRequest): (folders: readonly string[]) => FoundPlaces {
  const findLinked = createLinkReader();
  let roots: ReadonlySet<string> | undefined;
  return (folders) => {
    roots ??= new Set(resolveRoots(request).map(({ path }) => path));
    const directories = new Set<string>();
    const linked = new Set<string>();
    const unscanned: string[] = [];
    for (const folder of folders) {
      const target = findLinkTarget(folder);
      if (!target.ok || target.value.kind !== 'folder') continue;
      const { real } = target.value;
      directories.add(folder).add(real);
      // What links in a root lead to is known from its scan.
      if (roots.has(folder) || roots.has(real)) continue;
      for (const path of findLinked(real)) linked.add(path);
      unscanned.push(real);
    }
    return { directories, linked, unscanned };
  };
}

/** Where the links in a folder lead. Read again only when the folder has changed: installers put a thousand links in one. */
function createLinkReader(): (folder: string) => readonly string[] {
  const known = new Map<string, { readonly stamp: FileStamp; readonly targets: readonly string[] }>();
  return (folder) => {
    const stamp = findStamp(folder);
    const before = known.get(folder);
    if (stamp && before && sameStamp(stamp, before.stamp)) return before.targets;
    const targets = readLinks(folder);
    if (stamp) known.set(folder, { stamp, targets });
    return targets;
  };
}

function readLinks(folder: string): readonly string[] {
  const entries = listFolder(folder);
  if (!entries.ok) return [];
  return entries.value.flatMap(({ name, kind }) => {
    const target = kind === 'link' ? findLinkTarget(`${folder}/${name}`) : undefined;
    return target?.ok ? [target.value.real] : [];
  });
}
