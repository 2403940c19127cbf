import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentPlace, Workshop } from './content.ts';
import { noteFetched } from './fetched-entries.ts';
import { hasGit, SourceWorld, skillText, type TestRepository } from './fixtures/source-world.ts';
import { withSource } from './lock.ts';
import { changeLock } from './lock-file.ts';
import { lockPlaces } from './lock-stamp.ts';
import { fetchOffer } from './offer.ts';
import { hexOf } from './skill-digest.ts';
import { placeOf } from './source-address.ts';
import { createSourceBook } from './source-book.ts';

let world: SourceWorld;
let repository: TestRepository;
let digest: string;

beforeEach(async () => {
  world = new SourceWorld();
  if (!hasGit) return;
  repository = world.repository('origin');
  repository.commit({ 'alpha/SKILL.md': skillText('alpha') });
  await pin();
});

afterEach(() => world.remove());

const book = () => createSourceBook({ project: world.project, dataDirectory: world.data, variables: world.variables });

async function pin(): Promise<void> {
  const content = contentPlace(world.data);
  const [lock] = lockPlaces(world.project, world.data);
  const workshop = new Workshop(content);
  const place = placeOf(repository.path, lock);
  if (!place.ok) throw new Error(place.failure);
  const offer = await fetchOffer({
    place: place.value,
    ref: null,
    paths: [],
    workshop,
    world: { variables: world.variables, quietMs: 60_000 },
  });
  if (!offer.ok) throw new Error(offer.failure);
  const { skills, commit } = offer.value;
  await workshop.keep(skills);
  workshop.discard();
  digest = skills[0]?.digest ?? '';
  const entry = {
    source: repository.path,
    ref: null,
    commit,
    paths: [],
    skills: [{ name: 'alpha', path: 'alpha', digest }],
  };
  noteFetched(content, entry);
  await changeLock(lock, content, (before) => withSource(before, entry));
}

describe.skipIf(!hasGit)('what a server tells of its sources', () => {
  test('names each file that does not match, and a lock that cannot be read (S3, S4)', async () => {
    expect((await book().list()).sources).toMatchObject([{ state: 'ready', lock: 'project', difference_count: 0 }]);
    const file = join(world.data, 'sources/skills', hexOf(digest), 'SKILL.md');
    chmodSync(file, 0o644);
    writeFileSync(file, 'other');
    expect((await book().list()).sources).toMatchObject([
      { state: 'changed', differences: [{ skill: 'alpha', path: 'SKILL.md', what: 'changed' }] },
    ]);
    writeFileSync(world.lockPath, '{');
    expect(await book().list()).toMatchObject({ sources: [], faults: [expect.stringContaining('it is no JSON')] });
  });

  test('asks for newer commits only when it is asked to, and once for all who ask together (S4)', async () => {
    const newest = repository.commit({ 'alpha/SKILL.md': skillText('alpha', 'new\n') });
    const own = book();
    const [first, second] = await Promise.all([own.findNewer(undefined), own.findNewer(undefined)]);
    expect(first).toMatchObject([{ newest, is_outdated: true, reason: null }]);
    expect(second).toBe(first);
    expect(await own.findNewer('another')).toEqual([]);
    expect(world.files(join(world.data, 'sources/making'))).toEqual({});
  });
});
