import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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

test('what this machine cannot keep costs its source, by name (S4)', async () => {
  const world = new SourceWorld();
  const { project, data: dataDirectory, variables } = world;
  const { making } = contentPlace(dataDirectory);
  // In the place of a folder: nothing can be made there.
  mkdirSync(dirname(making), { recursive: true });
  writeFileSync(making, '');
  const digest = skillDigest([{ path: 'SKILL.md', sha256: sha256Of('x'), executable: false }]);
  const entry = (source: string): LockedSource => {
    return { source, ref: null, commit: sha256Of('x'), paths: [], skills: [{ name: 'x', path: 'x', digest }] };
  };
  writeFileSync(world.lockPath, renderLock({ sources: [entry('http://127.0.0.1:9'), entry('http://localhost:9')] }));
  const said: string[] = [];
  const stop = keepSynced({ project, dataDirectory, variables, log: ({ message }) => void said.push(message) });
  onTestFinished(async () => {
    await stop();
    world.remove();
  });
  const cannot = (host: string) => expect.stringMatching(`^Cannot sync http://${host}:9`);
  await expect.poll(() => said.toSorted()).toEqual([cannot('127.0.0.1'), cannot('localhost')]);
});
