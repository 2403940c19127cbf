// Copies of the library in the data directory: made, followed, and deleted when they are not served any more (L4, N7).
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Catalog } from '../catalog/catalog.ts';
import { openLiveCatalog } from '../catalog/live-catalog.ts';
import { readYamlFrontmatter } from '../document/yaml-frontmatter.ts';
import { hexOf } from '../sources/skill-digest.ts';
import { checkFiles } from './check-files.ts';
import type { CurrentSkill, Version } from './library.ts';
import { openServedLibrary, type ServedLibrary } from './served-library.ts';

function versionOf(body: string, name = 'refunds') {
  const text = `---\nname: ${name}\ndescription: How ${name} are made.\n---\n${body}\n`;
  const checked = checkFiles(name, [{ path: 'SKILL.md', text }], readYamlFrontmatter);
  if (!checked.ok) throw new Error(checked.failure.join());
  return checked.value;
}

function openWorld(keepMs: number) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'repertoire-served-'));
  const versions = new Map<string, ReturnType<typeof versionOf>>();
  let current: readonly CurrentSkill[] = [];
  const library = {
    current: async () => current,
    findVersion: async (name: string, digest: string) =>
      ({ name, digest, files: versions.get(digest)?.files ?? [] }) as unknown as Version, // what is read of it
    readFiles: async (files: readonly { readonly sha256: string }[]) => {
      if (files.some(({ sha256 }) => refused.has(sha256)))
        throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      return new Map(
        [...versions.values()].flatMap((version) => version.files.map(({ sha256, bytes }) => [sha256, bytes] as const)),
      );
    },
  };
  /** Files that cannot be brought. */
  const refused = new Set<string>();
  const bus = { subscribe: () => () => undefined, onGap: () => () => undefined };
  const served = openServedLibrary({ dataDirectory, library, bus, log: () => undefined, keepMs, repairMs: 20 });
  onTestFinished(() => {
    served.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  const serve = async (body: string, name = 'refunds') => {
    const version = versionOf(body, name);
    versions.set(version.digest, version);
    current = [...current.filter((each) => each.name !== name), { name, digest: version.digest }];
    await served.refresh();
    return hexOf(version.digest);
  };
  const refuse = (body: string) => {
    for (const { sha256 } of versionOf(body).files) refused.add(sha256);
  };
  const shown = () => served.current().flatMap(({ pinned }) => pinned?.folders.map(({ directory }) => directory) ?? []);
  const copies = (of = 'skills') => readdirSync(join(dataDirectory, 'library', of)).sort();
  return { serve, refuse, shown, served, copies, dataDirectory };
}

test('a copy that is not served any more is deleted after a while, and brought again when it is (L4)', async () => {
  const { serve, copies } = openWorld(20);
  const one = await serve('one');
  const two = await serve('two');
  await expect.poll(copies).toEqual([two]);
  expect(copies('manifests')).toEqual([two]);
  await serve('one');
  expect(copies()).toContain(one);
  await expect.poll(copies).toEqual([one]);
});

test('a copy that another process deleted is brought again (N7)', async () => {
  const { serve, copies, dataDirectory } = openWorld(60_000);
  const one = await serve('one');
  rmSync(join(dataDirectory, 'library', 'skills', one), { recursive: true, force: true });
  await serve('one');
  expect(copies()).toEqual([one]);
});

/** A catalog of what is served, when it watches. */
async function openCatalog(sources: ServedLibrary): Promise<Catalog> {
  const options = { roots: [], allowLinks: [], without: [], watch: true, rescanMs: 60_000, now: () => new Date() };
  let isLive = false;
  const onLive = () => {
    isLive = true;
  };
  const catalog = await openLiveCatalog({ ...options, log: () => undefined, sources, onLive });
  onTestFinished(() => catalog.close());
  await expect.poll(() => isLive).toBe(true);
  return catalog;
}

test('while one version replaces another the skill is never missing (L4, D6)', async () => {
  const { serve, served } = openWorld(60_000);
  await serve('zero');
  const texts: (string | undefined)[] = [];
  const catalog = await openCatalog(served);
  catalog.subscribe(({ snapshot }) => texts.push(snapshot.findByName('refunds')?.bytes.toString('utf8')));
  for (const body of ['one', 'two', 'three']) {
    await serve(body);
    await expect.poll(() => texts.at(-1)).toContain(`\n${body}\n`);
  }
  expect(texts).not.toContain(undefined);
});

test('when one skill changes, clients hear of that one, and not of the others (L4, N4)', async () => {
  const { serve, served } = openWorld(60_000);
  await serve('zero');
  const catalog = await openCatalog(served);
  const heard: object[] = [];
  catalog.subscribe(({ added, changed, removed }) => heard.push({ added, changed, removed }));
  const quiet = { added: [], changed: [], removed: [] };
  await serve('first', 'invoices');
  await expect.poll(() => heard).toEqual([{ ...quiet, added: ['skill://invoices/SKILL.md'] }]);
  await serve('second', 'invoices');
  await expect.poll(() => heard.slice(1)).toEqual([{ ...quiet, changed: ['skill://invoices/SKILL.md'] }]);
});

test('a copy that was changed is not served, and the problem does not speak of a lock (S3, N7)', async () => {
  const { serve, served, dataDirectory } = openWorld(60_000);
  const path = join(dataDirectory, 'library', 'skills', await serve('one'), 'SKILL.md');
  const catalog = await openCatalog(served);
  chmodSync(path, 0o644);
  writeFileSync(path, 'Other words.');
  await expect.poll(() => catalog.current.problems).toHaveLength(1);
  expect(catalog.current.skills).toEqual([]);
  expect(catalog.current.problems[0]).toMatchObject({
    rule: 'source-tampered',
    path: 'refunds/SKILL.md',
    message: 'Cannot serve the skill: its copy in the data directory is not what the library has',
  });
  expect(JSON.stringify(catalog.current.problems)).not.toMatch(/lock|sync/);
});

test('a version that cannot be brought keeps no change of another skill from being served (L4)', async () => {
  const { serve, refuse, shown } = openWorld(60_000);
  const one = await serve('one');
  refuse('two');
  await serve('two');
  const other = await serve('other', 'invoices');
  expect(shown().sort()).toEqual([one, other].sort());
});

test('a copy that was changed is brought from the store again, and those who serve it hear of it (N7)', async () => {
  const { serve, served, dataDirectory } = openWorld(60_000);
  const path = join(dataDirectory, 'library', 'skills', await serve('one'), 'SKILL.md');
  const text = readFileSync(path, 'utf8');
  let heard = 0;
  served.subscribe(() => {
    heard += 1;
  });
  for (const time of [1, 2]) {
    chmodSync(path, 0o644);
    writeFileSync(path, 'Other words.');
    served.repair();
    await expect.poll(() => heard).toBe(time);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});
