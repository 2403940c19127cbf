// Folders that were asked for and cannot be searched, and the sentence about each. Pure.
import type { Catalog } from '../catalog/catalog.ts';
import type { Settings } from '../settings/config.ts';
import { toOneLine } from '../text/one-line.ts';

export interface BadRoot {
  readonly label: string;
  readonly isMissing: boolean;
}

/** Of those that were asked for: a default folder that is not there is nothing to tell. */
export const findBadRoots = (
  { roots }: Pick<Catalog, 'roots'>,
  { rootRequest }: Pick<Settings, 'rootRequest'>,
): readonly BadRoot[] =>
  roots
    .filter(({ root, state }) => state !== 'found' && rootRequest.given.includes(root.label))
    .map(({ root, state }) => ({ label: root.label, isMissing: state === 'missing' }));

/** For the report of a command. */
export const badRootText = (root: BadRoot): string => `--root ${toOneLine(root.label)}: ${reasonOf(root)}`;

/** For the log of a server, whose roots a program or a configuration file may have named. */
export const badRootWarning = (root: BadRoot): string =>
  `No skills of ${toOneLine(root.label)} are served: ${reasonOf(root)}`;

const reasonOf = ({ isMissing }: BadRoot): string => (isMissing ? 'there is no such folder' : 'it cannot be searched');
