// Many processes add and remove sources of one project at once: no change of another is lost, and all content is whole (S2, S5).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { keepSource } from '../../src/sources/fixtures/keep-source.ts';
import { hasGit, SourceWorld, skillText } from '../../src/sources/fixtures/source-world.ts';
import { sha256Of } from '../../src/sources/skill-digest.ts';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

async function run({ project, variables }: SourceWorld, ...words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { cwd: project, env: variables });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece));
  const [code] = await once(child, 'close');
  return { code, said };
}

test.skipIf(!hasGit)('two or more at once leave every source in the lock, and nothing aside (S2, S5)', async () => {
  const world = new SourceWorld();
  // The same skill in each: they keep the same content at the same moment, too.
  const paths = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => {
    const repository = world.repository(`origin-${name}`);
    repository.commit({ 'same/SKILL.md': skillText('same'), [`${name}/SKILL.md`]: skillText(name) });
    return repository.path;
  });
  // What a process that was killed left, longer ago than the moment that one of another container gets.
  const locks = join(world.folder('home/.repertoire/sources/locks'));
  const left = join(locks, `${sha256Of(world.lockPath)}.${spawnSync('true').pid}-00.busy`);
  writeFileSync(left, '');
  utimesSync(left, new Date(Date.now() - 5_000), new Date(Date.now() - 5_000));
  const ended = await Promise.all(paths.map((path) => run(world, 'add', path, '--yes')));
  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  const sourcesNow = () => JSON.parse(world.lockText()).sources.map(({ source }: { source: string }) => source);
  expect(sourcesNow()).toEqual([...paths].sort());
  const gone = paths.slice(0, 3);
  expect((await Promise.all(gone.map((path) => run(world, 'remove', path)))).map(({ code }) => code)).toEqual([
    0, 0, 0,
  ]);
  expect(sourcesNow()).toEqual(paths.slice(3).sort());
  expect(await run(world, 'sync', '--check')).toMatchObject({ code: 0 });
  expect(readdirSync(join(world.data, 'sources/making'))).toEqual([]);
  expect(readdirSync(locks).filter((name) => name.endsWith('.busy'))).toEqual([]);
  world.remove();
});

test('sync of a dozen sources says one line for each, and nothing else (S4)', async () => {
  const world = new SourceWorld();
  for (let index = 10; index < 22; index += 1) await keepSource(world, `github:owner/repo-${index}`, { alpha: {} });
  const { code, said } = await run(world, 'sync');
  const lines = said.trim().split('\n');
  expect([code, lines.length, lines.filter((line) => !line.endsWith('matches the lock'))]).toEqual([0, 12, []]);
  world.remove();
});
