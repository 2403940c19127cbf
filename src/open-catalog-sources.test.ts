// What a lock names, served by a catalog: behind the folders, checked when it is read, followed while it is open (S3, S4).
import { chmodSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Catalog } from './catalog/catalog.ts';
import { startCatalog } from './open-catalog.ts';
import { NOTHING_GIVEN, resolveSettings } from './settings/config.ts';
import { contentPlace } from './sources/content.ts';
import { keepSource } from './sources/fixtures/keep-source.ts';
import { SourceWorld, skillText } from './sources/fixtures/source-world.ts';
import { changeLock } from './sources/lock-file.ts';
import { hexOf } from './sources/skill-digest.ts';

let world: SourceWorld;

beforeEach(() => {
  world = new SourceWorld();
});

afterEach(() => world.remove());

async function open(
  options: { readonly watch?: boolean; readonly program?: string; readonly onLive?: () => void } = {},
): Promise<Catalog> {
  const { home, project, variables } = world;
  const settings = resolveSettings(NOTHING_GIVEN, { home, workingDirectory: project, variables });
  const catalog = await startCatalog(settings, { log: () => {}, watch: false, ...options });
  onTestFinished(() => catalog.close());
  return catalog;
}

const openLive = async (program?: string): Promise<Catalog> => {
  let live = () => {};
  const isLive = new Promise<void>((resolve) => {
    live = resolve;
  });
  const catalog = await open({ watch: true, onLive: live, ...(program && { program }) });
  await isLive;
  return catalog;
};

const names = ({ current }: Catalog) => current.skills.map(({ name }) => name);
const rules = ({ current }: Catalog) => current.problems.map(({ rule, path }) => `${rule} ${path}`);
const kept = (digest: string, path: string) => join(world.data, 'sources/skills', hexOf(digest), path);

/** Its size and its times stay as far as they can. */
function change(file: string): void {
  const { atime, mtime } = statSync(file);
  chmodSync(file, 0o644);
  const bytes = readFileSync(file);
  bytes[bytes.length - 2] = (bytes[bytes.length - 2] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
}

describe('a catalog with sources', () => {
  test('has them behind every folder, one root for each in the order of the lock (S3)', async () => {
    await keepSource(world, 'github:b/b', { 'skills/beta': {} });
    await keepSource(world, 'github:a/a', { 'skills/alpha': {}, 'skills/beta': {} });
    world.write('project/.agents/skills/mine/SKILL.md', skillText('mine'));
    const catalog = await open();
    expect(catalog.roots.filter(({ state }) => state === 'found').map(({ root }) => root.label)).toEqual([
      './.agents/skills',
      'github:a/a@ccccccc',
      'github:b/b@ccccccc',
    ]);
    expect(catalog.current.skills.map(({ name, source, uri }) => [name, source, uri])).toEqual([
      ['alpha', 'github:a/a@ccccccc', 'skill://skills/alpha/SKILL.md'],
      ['beta', 'github:a/a@ccccccc', 'skill://skills/beta/SKILL.md'],
      ['mine', './.agents/skills', 'skill://mine/SKILL.md'],
    ]);
  });

  test('reads a supporting file only while it is what the lock names (S3)', async () => {
    const { skills } = await keepSource(world, 'github:a/a', {
      alpha: { 'scripts/run.sh': 'echo\n', 'notes.md': 'notes\n' },
    });
    const catalog = await open();
    const skill = catalog.current.findByName('alpha');
    if (skill === undefined) throw new Error('alpha is not served');
    const manifest = catalog.manifestOf(skill);
    expect(manifest.files.map(({ path }) => path)).toEqual(['SKILL.md', 'notes.md', 'scripts/run.sh']);
    expect(await catalog.readFile(skill, 'notes.md')).toMatchObject({ ok: true, value: Buffer.from('notes\n') });
    expect(catalog.openFile(skill, 'notes.md')).toBeUndefined();
    change(kept(skills[0]?.digest ?? '', 'notes.md'));
    expect(await catalog.readFile(skill, 'notes.md')).toMatchObject({ ok: false });
    const other = await open();
    await other.loadManifests();
    expect(names(other)).toEqual(['alpha']);
    expect(rules(other)).toEqual(['source-tampered alpha/SKILL.md']);
    expect(other.current.skills[0]?.listable).toBe(false);
  });

  test('serves neither what was added nor a skill whose list of files is another one (S3)', async () => {
    const { skills } = await keepSource(world, 'github:a/a', { alpha: {}, beta: {} });
    const [alpha = '', beta = ''] = skills.map(({ digest }) => digest);
    world.write(`home/.repertoire/sources/skills/${hexOf(alpha)}/nested/evil/SKILL.md`, skillText('evil'));
    world.write(`home/.repertoire/sources/skills/${'e'.repeat(64)}/SKILL.md`, skillText('stranger'));
    const manifest = join(world.data, 'sources/manifests', hexOf(beta));
    chmodSync(manifest, 0o644);
    writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}x\0${'0'.repeat(64)}\x000\n`);
    const catalog = await open();
    expect(names(catalog)).toEqual(['alpha']);
    expect(rules(catalog)).toEqual(['source-tampered alpha/nested', 'source-tampered beta']);
    expect(catalog.current.findFolder('evil')).toBeUndefined();
  });

  test('skills with the same files are served at each of their addresses, in one source and in two (S3, D5)', async () => {
    const files = { 'notes.md': 'notes\n', 'scripts/run.sh': 'echo\n' };
    const { skills } = await keepSource(world, 'github:a/a', { 'x/same': files, 'y/same': files, 'z/same': files });
    await keepSource(world, 'github:b/b', { 'v/same': files, 'x/same': files });
    const catalog = await open();
    await catalog.loadManifests();
    const uris = ['v', 'x', 'y', 'z'].map((folder) => `skill://${folder}/same/SKILL.md`);
    expect(catalog.current.skills.map(({ uri }) => uri).sort()).toEqual(uris);
    expect(catalog.current.findByName('same')?.uri).toBe(uris[1]);
    expect(rules(catalog).filter((each) => each.startsWith('shadowed'))).toHaveLength(4);
    const folder = join(world.data, 'sources/skills', hexOf(skills[0]?.digest ?? ''));
    for (const skill of catalog.current.skills) {
      const { files: listed, isComplete } = catalog.manifestOf(skill);
      expect([isComplete, listed.map(({ path }) => path)]).toEqual([true, ['SKILL.md', 'notes.md', 'scripts/run.sh']]);
      expect(await catalog.readFile(skill, 'notes.md')).toMatchObject({ ok: true, value: Buffer.from('notes\n') });
      expect([skill.baseDirectory, skill.filePath]).toEqual([folder, join(folder, 'SKILL.md')]);
    }
    expect((await open()).current.skills).toHaveLength(4);
    change(join(folder, 'SKILL.md'));
    expect((await open()).current.skills).toEqual([]);
  });

  test('a skill that is not served, because another source has its path, takes no name (S3, D5)', async () => {
    const named = (name: string) => ({ 'SKILL.md': skillText(name) });
    await keepSource(world, 'github:a/a', { 'skills/pdf': {} });
    await keepSource(world, 'github:b/b', { 'skills/pdf': named('other') });
    await keepSource(world, 'github:c/c', { 'more/other': {} });
    const catalog = await open();
    expect(catalog.current.findByName('other')?.uri).toBe('skill://more/other/SKILL.md');
    expect(rules(catalog)).toEqual(['name-folder-mismatch skills/pdf/SKILL.md', 'shadowed skills/pdf/SKILL.md']);
  });

  test('a skill inside another with another digest in the lock is not served (S3)', async () => {
    const entry = await keepSource(world, 'github:a/a', { outer: { 'inner/SKILL.md': skillText('inner') } });
    const wrong = { name: 'inner', path: 'outer/inner', digest: `sha256:${'9'.repeat(64)}` };
    await changeLock({ path: world.lockPath }, contentPlace(world.data), () => ({
      sources: [{ ...entry, skills: [...entry.skills, wrong] }],
    }));
    const catalog = await open();
    expect(names(catalog)).toEqual(['outer']);
    expect(rules(catalog)).toContain('source-tampered outer/inner/SKILL.md');
  });

  test('content that is not here is a problem of each skill, and comes without a restart (S4)', async () => {
    const { skills } = await keepSource(world, 'github:a/a', { alpha: {} });
    rmSync(join(world.data, 'sources'), { recursive: true });
    const catalog = await openLive();
    expect([names(catalog), rules(catalog)]).toEqual([[], ['source-missing alpha']]);
    await keepSource(world, 'github:a/a', { alpha: {} });
    await expect.poll(() => names(catalog)).toEqual(['alpha']);
    expect(rules(catalog)).toEqual([]);
    expect(catalog.current.skills[0]?.baseDirectory).toBe(kept(skills[0]?.digest ?? '', '').replace(/\/$/, ''));
  });
});

describe('while it is open', () => {
  test('a changed SKILL.md is gone, without its last good text (S3, D8)', async () => {
    const { skills } = await keepSource(world, 'github:a/a', { alpha: {}, beta: {} });
    const catalog = await openLive();
    expect(names(catalog)).toEqual(['alpha', 'beta']);
    change(kept(skills[0]?.digest ?? '', 'SKILL.md'));
    await expect.poll(() => names(catalog)).toEqual(['beta']);
    expect(rules(catalog)).toEqual(['source-tampered alpha/SKILL.md']);
    expect(catalog.current.findFolder('alpha')).toEqual({ failure: 'no-skill-file' });
  });

  test('a removed SKILL.md is gone, too, and a changed file is a problem (S3)', async () => {
    const { skills } = await keepSource(world, 'github:a/a', { alpha: {}, beta: { 'notes.md': 'notes\n' } });
    const [alpha = '', beta = ''] = skills.map(({ digest }) => digest);
    const catalog = await openLive();
    rmSync(kept(alpha, 'SKILL.md'), { force: true });
    change(kept(beta, 'notes.md'));
    await expect.poll(() => names(catalog)).toEqual(['beta']);
    await expect
      .poll(() => rules(catalog).sort())
      .toEqual(['source-tampered alpha/SKILL.md', 'source-tampered beta/SKILL.md']);
  });

  test('a new lock is followed without a restart, and one that is bad is a problem (S4)', async () => {
    const catalog = await openLive();
    expect(names(catalog)).toEqual([]);
    await keepSource(world, 'github:a/a', { alpha: {} });
    await expect.poll(() => names(catalog)).toEqual(['alpha']);
    await keepSource(world, 'github:a/a', { gamma: {} }, 'd'.repeat(40));
    await expect.poll(() => names(catalog)).toEqual(['gamma']);
    const good = world.lockText();
    writeFileSync(world.lockPath, '{');
    await expect.poll(() => rules(catalog)).toEqual(['lock-unreadable .']);
    writeFileSync(world.lockPath, good);
    await expect.poll(() => names(catalog)).toEqual(['gamma']);
  });
});

describe('a remembered start', () => {
  test('finds what was changed between two starts, whatever its times say (S3)', async () => {
    const { skills } = await keepSource(world, 'github:a/a', { alpha: {}, 'deep/beta': { 'notes.md': 'notes\n' } });
    const [alpha = '', beta = ''] = skills.map(({ digest }) => digest);
    // Long enough ago that a note may be taken of it.
    await new Promise((resolve) => setTimeout(resolve, 120));
    (await openLive('test')).close();
    const again = await openLive('test');
    expect([names(again), rules(again)]).toEqual([['alpha', 'beta'], []]);
    again.close();
    change(kept(alpha, 'SKILL.md'));
    change(kept(beta, 'notes.md'));
    const changed = await openLive('test');
    expect(names(changed)).toEqual(['beta']);
    expect(rules(changed).sort()).toEqual(['source-tampered alpha/SKILL.md', 'source-tampered deep/beta/SKILL.md']);
  });
});
