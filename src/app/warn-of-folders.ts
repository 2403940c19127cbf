// What a server says of folders that it was told to search and that are not there. It goes on: they may be made later (D1).
import type { Catalog } from '../catalog/catalog.ts';
import { pathExists } from '../hosts/connect/config-file.ts';
import type { Settings } from '../settings/config.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import { toOneLine } from '../text/one-line.ts';
import { badRootWarning, findBadRoots } from './bad-roots.ts';

interface Searched {
  readonly catalog: Pick<Catalog, 'roots'>;
  readonly settings: Settings;
}

export function warnOfFolders({ catalog, settings }: Searched, log: RuntimeLog): void {
  for (const root of findBadRoots(catalog, settings)) log({ level: 'warn', message: badRootWarning(root) });
  const { project } = settings.rootRequest;
  if (pathExists(project)) return;
  log({ level: 'warn', message: `No skills of the project ${toOneLine(project)} are served: there is no such folder` });
}
