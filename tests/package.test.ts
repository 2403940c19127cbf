// What users download, as they get it: packed, installed into an empty folder, and used as README says.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journey } from './support/packed-journey.ts';
import { askAreTheTypesWrong, askPublint } from './support/packed-judges.ts';
import { type Installed, installPacked, type Packed, packProgram } from './support/packed-program.ts';

let place = '';
let packed: Packed;
let installed: Installed;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'repertoire-pack-'));
  packed = packProgram(place);
  installed = installPacked(packed.tarball);
});
afterAll(() => {
  installed?.remove();
  rmSync(place, { recursive: true, force: true });
});

describe('the package, installed into an empty folder', () => {
  for (const { title, walk } of journey) test(title, () => walk(installed));

  test('runs nothing on install', () => {
    const onInstall = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(Object.keys(installed.manifest.scripts ?? {}).filter((name) => onInstall.includes(name))).toEqual([]);
  });

  test('has types that need no package but its own dependencies and peers', () => {
    const { dependencies, peerDependencies } = installed.manifest;
    const imported = pathsBy(/^dist\/lib\/.*\.d\.ts$/).flatMap((path) => packagesIn(readInstalled(path)));
    expect(imported).toContain('zod');
    expect(imported.filter((name) => !(name in dependencies || name in peerDependencies))).toEqual([]);
  });
});

describe('the tarball', () => {
  test('carries the types that its entries lead to, and no others', () => {
    const types = pathsBy(/^dist\/lib\/.*\.d\.ts$/);
    expect(types).toEqual(expect.arrayContaining(['dist/lib/store.d.ts', 'dist/lib/catalog/catalog.d.ts']));
    expect(types.filter((path) => /\/(migrations\/|http\/|cli\/)/.test(path))).toEqual([]);
  });

  test('is small', () => {
    expect(packed.size).toBeLessThan(1_650_000);
    expect(packed.unpackedSize).toBeLessThan(5_300_000);
  });

  test('carries the program, the library, the pages and the documentation; no test, no map, no source', () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of ['dist/cli.js', 'dist/lib/index.d.ts', 'dist/web/index.html', 'README.md', 'LICENSE'])
      expect(paths).toContain(path);
    const wrong = /\.test\.|\.map$|(?<!\.d)\.tsx?$|(^|\/)(fixtures|tests|bench)\//;
    expect(paths.filter((path) => wrong.test(path))).toEqual([]);
  });

  test('names no folder of the machine that it was built on', () => {
    const here = resolve('.');
    expect(pathsBy(/^dist\//).filter((path) => readInstalled(path).includes(here))).toEqual([]);
  });

  test('has nothing that publint would change', async () => {
    expect(await askPublint(packed.tarball)).toEqual([]);
  });

  test('has types that every resolution for ES modules finds (attw)', () => {
    expect(askAreTheTypesWrong(packed.tarball)).toEqual([]);
  });
});

test('a registry that cannot be reached is told as the reason, not as a skipped test', () => {
  const nobody = ['--registry', 'http://127.0.0.1:9', '--fetch-retries=0', '--cache', join(place, 'empty-cache')];
  expect(() => installPacked(packed.tarball, process.execPath, nobody)).toThrow(
    /^Cannot install the package: npm's registry cannot be reached \(ECONNREFUSED\)/,
  );
});

const pathsBy = (shape: RegExp): readonly string[] =>
  packed.files.map(({ path }) => path).filter((path) => shape.test(path));

const readInstalled = (path: string): string => readFileSync(join(installed.own, path), 'utf8');

/** Packages that a declaration imports; Node's own modules and relative paths are none. */
function packagesIn(declaration: string): readonly string[] {
  const imports = declaration.matchAll(/(?:from |import\()['"](?!node:)((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g);
  return [...imports].map(([, name = '']) => name);
}
