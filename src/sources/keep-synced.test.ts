import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { contentPlace, isKept } from './content.ts';
import { entryOf, INDEX, indexOf, startIndexServer } from './fixtures/index-server.ts';
import { SourceWorld, skillText } from './fixtures/source-world.ts';
import { keepSynced } from './keep-synced.ts';
import { type LockedSource, renderLock } from './lock.ts';
import { sha256Of, skillDigest } from './skill-digest.ts';

test('a source that never answers does not hold up the one behind it (S4)', async () => {
  const world = new SourceWorld();
  const text = skillText('good');
  const answers = { [INDEX]: indexOf([entryOf('good', text, { type: 'skill-md' })]), '/a/good': text };
  const silent = await startIndexServer(() => ({ [INDEX]: () => {} }));
  const good = await startIndexServer(() => answers);
  const digest = skillDigest([{ path: 'SKILL.md', sha256: sha256Of(text), executable: false }]);
  const entry = (source: string): LockedSource => {
    const skills = [{ name: 'good', path: 'good', digest }];
    return { source, ref: null, commit: sha256Of(answers[INDEX]), paths: [], skills };
  };
  // In the order of the lock the silent one comes first: 127.0.0.1 before localhost.
  const sources = [entry(silent.origin), entry(good.origin.replace('127.0.0.1', 'localhost'))];
  writeFileSync(world.lockPath, renderLock({ sources }));
  const said: string[] = [];
  const log = ({ message }: { readonly message: string }) => void said.push(message);
  const { project, data: dataDirectory, variables } = world;
  const stop = keepSynced({ project, dataDirectory, variables, log });
  onTestFinished(async () => {
    await stop();
    await Promise.all([silent.close(), good.close()]);
    world.remove();
  });
  await expect.poll(() => isKept(contentPlace(dataDirectory), digest), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => said).toEqual([expect.stringMatching(/^Synced http:\/\/localhost/)]);
  expect(silent.asked).toEqual([INDEX]);
});
