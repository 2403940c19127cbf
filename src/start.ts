// The composition root: puts the parts together from settings. The only file that may know all of them.
import type { Catalog } from './catalog/catalog.ts';
import { openCatalog, openCatalogEarly } from './catalog/live-catalog.ts';
import { type Root, resolveRoots } from './catalog/roots.ts';
import type { Settings } from './config.ts';

export interface StartOptions {
  /** One line per event. Never standard output: that belongs to the protocol. */
  readonly log: (line: string) => void;
  /** False for commands that look once. */
  readonly watch: boolean;
  /** True: ready as soon as it is known what there is; see `openCatalogEarly`. */
  readonly early?: boolean;
  /** Instead of those of the settings. */
  readonly roots?: readonly Root[];
}

export function startCatalog(settings: Settings, { log, watch, early = false, roots }: StartOptions): Promise<Catalog> {
  const open = early ? openCatalogEarly : openCatalog;
  return open({
    roots: roots ?? resolveRoots(settings.rootRequest),
    allowLinks: settings.allowLinks,
    without: settings.without,
    rescanMs: settings.rescanMs,
    watch,
    now: () => new Date(),
    log,
  });
}
