import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentPlace, Workshop } from '../content.ts';
import { startGitServer } from '../fixtures/git-server.ts';
import { hasGit, SourceWorld, skillText } from '../fixtures/source-world.ts';
import { fetchOffer, type Offer } from '../offer.ts';
import { placeOf } from '../source-address.ts';

let world: SourceWorld;

beforeEach(() => {
  world = new SourceWorld();
});

afterEach(() => world.remove());

/** A bare repository with two skills, and much beside them. */
function makeBare(): void {
  const repository = world.repository('work');
  repository.commit({
    'skills/one/SKILL.md': skillText('one'),
    'other/two/SKILL.md': skillText('two'),
    'other/large.bin': randomBytes(3 * 1024 * 1024),
  });
  repository.git('clone', '--quiet', '--bare', '.', world.at('bare/x.git'));
  repository.git('--git-dir', world.at('bare/x.git'), 'config', 'uploadpack.allowFilter', 'true');
  repository.git('--git-dir', world.at('bare/x.git'), 'update-server-info');
}

async function offerOf(source: string, paths: readonly string[]): Promise<Offer> {
  const place = placeOf(source, { project: world.project });
  if (!place.ok) throw new Error(place.failure);
  const workshop = new Workshop(contentPlace(world.data));
  const request = {
    place: place.value,
    ref: null,
    paths,
    workshop,
    world: { variables: world.variables, quietMs: 60_000 },
  };
  const offer = await fetchOffer(request);
  workshop.discard();
  if (!offer.ok) throw new Error(offer.failure);
  return offer.value;
}

const pathsOf = ({ skills }: Offer) => skills.map(({ path }) => path);

describe.skipIf(!hasGit)('a repository over http', () => {
  test('of which one folder is wanted sends little more than that folder (S1)', async () => {
    makeBare();
    const server = await startGitServer(world.at('bare'), world.variables);
    expect(pathsOf(await offerOf(`${server.url}/x.git`, ['skills']))).toEqual(['skills/one']);
    expect(server.sentBytes()).toBeLessThan(100_000);
    const whole = await offerOf(`${server.url}/x.git`, []);
    expect(pathsOf(whole)).toEqual(['other/two', 'skills/one']);
    expect(server.sentBytes()).toBeGreaterThan(3_000_000);
    server.close();
  });

  test('on a server that knows nothing of git is fetched whole (S1)', async () => {
    makeBare();
    const server = await startGitServer(world.at('bare'), world.variables, true);
    expect(pathsOf(await offerOf(`${server.url}/x.git`, ['skills']))).toEqual(['skills/one']);
    server.close();
  });
});

describe.skipIf(!hasGit)('a repository over ssh', () => {
  test('is fetched with the program that the settings of the user name (S5)', async () => {
    const script = world.write('own-ssh.sh', { script: `#!/bin/sh\necho "$@" > ${world.at('asked')}\nexit 1\n` });
    world.write('home/.gitconfig', `[core]\n\tsshCommand = ${script}\n`);
    await expect(offerOf('git@example.com:a/b.git', [])).rejects.toThrow();
    expect(readFileSync(world.at('asked'), 'utf8')).toContain('git@example.com');
  });
});
