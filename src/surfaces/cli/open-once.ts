// The catalog for a command that looks once: no watching, and a word to the person who waits for a long scan.
import type { Catalog } from '../../catalog/catalog.ts';
import { startCatalog } from '../../start.ts';
import type { CommandContext } from './command.ts';
import { startProgress } from './terminal/progress.ts';

export async function openOnce({ settings, errors }: CommandContext): Promise<Catalog> {
  const progress = startProgress(errors, Date.now);
  const timer = setInterval(() => progress.update('Scanning…'), 250);
  try {
    return await startCatalog(settings, { log: () => {}, watch: false });
  } finally {
    clearInterval(timer);
    progress.end();
  }
}
