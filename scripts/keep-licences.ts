// Puts the licence of every package whose code a bundle carries beside it, as their licences ask: dist/licences.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const FOLDER = join(import.meta.dirname, '../dist/licences');

export function keepLicences(): Plugin {
  return {
    name: 'keep-licences',
    // Before anything can take chunks out of the bundle again.
    renderChunk: { order: 'pre', handler: (_code, { modules }) => keepLicencesOf(Object.entries(modules)) },
  };
}

function keepLicencesOf(modules: readonly (readonly [string, { readonly renderedLength: number }])[]): void {
  const carried = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => packageOf(id));
  for (const folder of new Set(carried)) if (folder !== undefined) keepLicence(folder);
}

/** The folder of the package that a module belongs to; none: it is ours. */
const packageOf = (id: string): string | undefined => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];

function keepLicence(folder: string): void {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length).replace('/', '+');
  const licence = readdirSync(folder).find((file) => /^licen[cs]e(\.|$)/i.test(file));
  if (licence === undefined) throw new Error(`Cannot bundle ${name}: it has no licence file to keep`);
  mkdirSync(FOLDER, { recursive: true });
  copyFileSync(join(folder, licence), join(FOLDER, `${name}.txt`));
}
