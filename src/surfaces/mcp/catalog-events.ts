// What a change of the catalog means to MCP clients: which lists and which resources are others now.
import type { CatalogChange } from '../../catalog/view/compare-snapshots.ts';
import type { Snapshot } from '../../catalog/view/snapshot.ts';
import type { Repertoire } from '../../repertoire/repertoire.ts';
import type { ServerEvent } from './wire/method.ts';

/** More skills than this change only when folders are replaced as a whole: then their files are not announced each. */
const MAX_ANNOUNCED_EACH = 50;

/** A change may alter every list that names skills; a subscriber is notified of the resources it asked for. */
export function eventsOf(
  { added, changed, removed, snapshot, before }: CatalogChange,
  repertoire: Repertoire,
): ServerEvent[] {
  // Added ones, too: a client may have subscribed before the skill went away and came back.
  const skills = [...added, ...changed, ...removed];
  const uris =
    skills.length > MAX_ANNOUNCED_EACH
      ? skills
      : skills.flatMap((uri) => changedFiles(digestsOf(before, uri, repertoire), digestsOf(snapshot, uri, repertoire)));
  return [...LISTS_CHANGED, ...[...new Set(uris)].map((uri) => ({ kind: 'resource', uri }) as const)];
}

/** By the URI of each file of the skill, as it was or is. */
function digestsOf(snapshot: Snapshot, uri: string, repertoire: Repertoire): ReadonlyMap<string, string> {
  const skill = snapshot.findByUri(uri);
  return new Map(skill && repertoire.manifestOf(skill).files.map((file) => [file.uri, file.digest]));
}

const changedFiles = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((uri) => before.get(uri) !== after.get(uri));

const LISTS_CHANGED: readonly ServerEvent[] = [{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }];
