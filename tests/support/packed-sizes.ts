// How much each package in an installed folder weighs on the disk.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Weight {
  readonly name: string;
  readonly bytes: number;
}

/** Heaviest first. Links are not followed: they are not what npm downloaded. */
export function weighPackages(nodeModules: string): readonly Weight[] {
  const names = readdirSync(nodeModules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(nodeModules, name)).map((part) => `${name}/${part}`) : [name],
  );
  const packages = names.filter((name) => !name.startsWith('.') && isFolder(join(nodeModules, name)));
  const weights = packages.map((name) => ({ name, bytes: weigh(join(nodeModules, name)) }));
  return weights.sort((one, other) => other.bytes - one.bytes);
}

const isFolder = (path: string): boolean => lstatSync(path).isDirectory();

function weigh(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => lstatSync(join(folder, name)));
  return paths.filter((stat) => stat.isFile()).reduce((sum, { size }) => sum + size, 0);
}
