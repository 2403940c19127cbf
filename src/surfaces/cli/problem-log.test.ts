// What `mcp` says about problems on standard error.
import { describe, expect, test } from 'vitest';
import { serveHere } from '../../../tests/support/served-here.ts';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../catalog/fixtures/skill-world.ts';
import type { RuntimeEvent } from '../../skills/record/runtime-log.ts';
import { followProblems } from './problem-log.ts';

async function follow(build: (world: ReturnType<typeof createSkillWorld>) => void, roots = ['root']) {
  const world = createSkillWorld();
  build(world);
  const catalog = await openTestCatalog(roots.map((root) => world.at(root)));
  const events: RuntimeEvent[] = [];
  const stop = followProblems(catalog, (event) => events.push(event));
  const news = () => events.splice(0).map(({ level, message }) => `${level} ${message.replaceAll(world.path, '')}`);
  return { world, catalog, stop, news };
}

describe('followProblems()', () => {
  test('tells each problem once, at the start and when it comes, with its whole path and its fix (T2, M15)', async () => {
    const { world, catalog, news, stop } = await follow((made) => {
      made.write('root/bad/SKILL.md', '');
      made.skill('root/other', { name: 'Other' });
    });
    expect(news()).toEqual([
      expect.stringMatching(/^error \/root\/bad\/SKILL\.md: Cannot .+: .+\. \w+/),
      expect.stringMatching(/^warn \/root\/other\/SKILL\.md: Cannot /),
      expect.stringMatching(/^warn \/root\/other\/SKILL\.md: Cannot /),
    ]);
    world.skill('root/fine');
    await catalog.refresh();
    expect(news()).toEqual([]);
    world.write('root/worse/SKILL.md', '');
    await catalog.refresh();
    expect(news()).toEqual([expect.stringMatching(/^error \/root\/worse\/SKILL\.md: /)]);
    // One that was fixed and is back is news.
    world.skill('root/bad');
    await catalog.refresh();
    expect(news()).toEqual([]);
    world.remove('root/bad');
    await catalog.refresh();
    world.write('root/bad/SKILL.md', '');
    await catalog.refresh();
    expect(news()).toEqual([expect.stringMatching(/^error \/root\/bad\/SKILL\.md: /)]);
    stop();
    world.write('root/last/SKILL.md', '');
    await catalog.refresh();
    expect(news()).toEqual([]);
  });

  test('the same file in two roots is two problems (M15)', async () => {
    const twice = (made: ReturnType<typeof createSkillWorld>) =>
      ['one', 'two'].map((root) => made.write(`${root}/bad/SKILL.md`, ''));
    const { news } = await follow(twice, ['one', 'two']);
    expect(news()).toEqual([
      expect.stringMatching(/^error \/one\/bad\/SKILL\.md: /),
      expect.stringMatching(/^error \/two\/bad\/SKILL\.md: /),
    ]);
  });

  test('tells a hundred at a time, and first how many there are', async () => {
    const { news } = await follow((made) => {
      for (let index = 0; index < 130; index += 1) made.write(`root/s${index}/SKILL.md`, '');
    });
    const lines = news();
    expect(lines).toHaveLength(101);
    expect(lines[0]).toBe('warn 130 problems, of which 100 follow: repertoire doctor shows all');
  });
});

test('mcp writes its problems to standard error, also when the host is gone at once (T2, M15)', async () => {
  for (const isGoneAtOnce of [true, false]) {
    const world = createSkillWorld();
    world.skill('root/good');
    world.write('root/bad/SKILL.md', '');
    const server = serveHere(['--root', world.at('root'), '--no-log'], {
      workingDirectory: world.path,
      home: world.at('home'),
      variables: {},
    });
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
    if (!isGoneAtOnce) await expect.poll(() => said).toContain('bad/SKILL.md');
    server.stdin.end();
    await server.exited;
    const lines = said.split('\n').filter((line) => line.includes('bad/SKILL.md'));
    expect(lines).toEqual([expect.stringMatching(/^repertoire: error: .+\/root\/bad\/SKILL\.md: Cannot .+\. .+$/)]);
  }
});
