import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ContentPlace, checkSkill, contentPlace, type MadeSkill, pruneContent, Workshop } from './content.ts';
import { SourceWorld, skillText } from './fixtures/source-world.ts';
import { hexOf } from './skill-digest.ts';

let world: SourceWorld;
let place: ContentPlace;

beforeEach(() => {
  world = new SourceWorld();
  place = contentPlace(world.data);
});

afterEach(() => world.remove());

/** A skill with a few files, kept. */
async function keepSkill(name: string, more: Readonly<Record<string, Buffer>> = {}): Promise<MadeSkill> {
  const workshop = new Workshop(place);
  const open = workshop.open();
  open.add('SKILL.md', Buffer.from(skillText(name)), false);
  for (const [path, bytes] of Object.entries(more)) open.add(path, bytes, path.endsWith('.sh'));
  const made = open.close(name);
  await workshop.keep([made]);
  workshop.discard();
  return made;
}

describe('what is kept', () => {
  test('one changed byte in any of its files is found: 1,000 of 1,000 (S3, S4)', async () => {
    const made = await keepSkill('alpha', {
      'scripts/run.sh': Buffer.from('echo hello\n'),
      'data/table.bin': Buffer.from(Array.from({ length: 2_000 }, (_, index) => index % 256)),
    });
    const hex = hexOf(made.digest);
    const files = [join(place.manifests, hex), ...made.files.map(({ path }) => join(place.skills, hex, path))];
    for (const file of files) chmodSync(file, file.endsWith('.sh') ? 0o755 : 0o644);
    expect((await checkSkill(place, made.digest)).differences).toEqual([]);
    let seed = 42;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (seed >> 8) % below;
    };
    let found = 0;
    for (let round = 0; round < 1_000; round += 1) {
      const file = files[next(files.length)] ?? '';
      const whole = readFileSync(file);
      const changed = Buffer.from(whole);
      const at = next(whole.length);
      changed[at] = (changed[at] ?? 0) ^ (1 + next(255));
      writeFileSync(file, changed);
      if ((await checkSkill(place, made.digest)).differences.length > 0) found += 1;
      writeFileSync(file, whole);
    }
    expect(found).toBe(1_000);
    expect((await checkSkill(place, made.digest)).differences).toEqual([]);
  });

  test('is shared: the same skill of another source is not written again (S3)', async () => {
    const first = await keepSkill('alpha');
    const stamp = () => readdirSync(place.skills);
    const before = stamp();
    expect((await keepSkill('alpha')).digest).toBe(first.digest);
    expect(stamp()).toEqual(before);
  });

  const leftover = 'home/.repertoire/sources/making/.work.999999999-aaaaaaaaaaaaaaaa.tmp-repertoire';

  test('what a killed process left in the making is taken away by the next (S5)', async () => {
    world.write(`${leftover}/new-1/SKILL.md`, 'x');
    const [left = ''] = readdirSync(place.making);
    const before = new Date(Date.now() - 61_000);
    utimesSync(join(place.making, left), before, before);
    await keepSkill('alpha');
    expect(readdirSync(place.making)).toEqual([]);
  });

  test('what a process of another container makes stays, though it cannot be seen from here (S5, L4)', async () => {
    world.write(`${leftover}/new-1/SKILL.md`, 'x');
    await keepSkill('alpha');
    expect(existsSync(join(place.making, '.work.999999999-aaaaaaaaaaaaaaaa.tmp-repertoire/new-1/SKILL.md'))).toBe(true);
  });

  test('prune removes skills and manifests that are not in use, and nothing else (S3)', async () => {
    const [used, unused] = [await keepSkill('used'), await keepSkill('unused')];
    expect(pruneContent(place, new Set([used.digest]))).toBe(1);
    expect((await checkSkill(place, used.digest)).differences).toEqual([]);
    expect((await checkSkill(place, unused.digest)).differences).toEqual([{ path: '', what: 'missing' }]);
    expect(readdirSync(place.manifests)).toEqual([hexOf(used.digest)]);
  });

  test('a folder that was put in the place of a file, and a link in that of a folder, are found and put right (S4)', async () => {
    const made = await keepSkill('alpha', { 'a/b': Buffer.from('x') });
    const folder = join(place.skills, hexOf(made.digest));
    rmSync(join(folder, 'a'), { recursive: true });
    world.write('outside/b', 'x');
    world.write(`home/.repertoire/sources/skills/${hexOf(made.digest)}/a`, { link: world.at('outside') });
    rmSync(join(folder, 'SKILL.md'));
    world.write(`home/.repertoire/sources/skills/${hexOf(made.digest)}/SKILL.md/x`, 'x');
    expect((await checkSkill(place, made.digest)).differences.length).toBeGreaterThan(1);
    await keepSkill('alpha', { 'a/b': Buffer.from('x') });
    expect((await checkSkill(place, made.digest)).differences).toEqual([]);
    expect(world.files(world.at('outside'))).toEqual({ b: 'x' });
  });
});
