// Changes beyond the end of a link, which no watcher sees (F7).
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWatchedCatalog } from '../fixtures/open-test-catalog.ts';
import { createSkillWorld, skillText } from '../fixtures/skill-world.ts';
import { contentOf } from '../view/skill.ts';

test('a SKILL.md that is a link is read again when what it leads to changes', async () => {
  const world = createSkillWorld();
  world.write('outside/k2/SKILL.md', skillText('s1', 'one\n'));
  world.folder('root/s1');
  world.link('root/s1/SKILL.md', '../../outside/k2/SKILL.md');
  const catalog = await openWatchedCatalog([world.at('root')], { allowLinks: [world.at('outside')] });
  world.write('outside/k2/SKILL.md', skillText('s1', 'two, and a little longer\n'));
  await expect.poll(() => contentOf(catalog.current.skills[0] as never)).toContain('two');
});

test('a linked folder whose parent moves away is gone, and back with its new text', async () => {
  const world = createSkillWorld();
  world.skill('outside/cat/k1');
  world.folder('root');
  world.link('root/k1', '../outside/cat/k1');
  const catalog = await openWatchedCatalog([world.at('root')], { allowLinks: [world.at('outside')] });
  expect(catalog.current.skills).toHaveLength(1);
  renameSync(world.at('outside/cat'), world.at('outside/cat2'));
  await expect.poll(() => catalog.current.skills).toHaveLength(0);
  world.skill('outside/cat/k1', { body: 'again\n' });
  await expect.poll(() => contentOf(catalog.current.skills[0] as never)).toContain('again');
});

test('a link that was not followed is called broken when what it led to is gone', async () => {
  const world = createSkillWorld();
  world.skill('root/pdf');
  world.skill('root/other');
  world.link('root/pdf/more', '../other');
  const catalog = await openWatchedCatalog([world.at('root')]);
  const rules = () => catalog.current.problems.map(({ rule }) => rule);
  expect(rules()).toEqual(['link-not-followed']);
  world.remove('root/other');
  await expect.poll(() => rules()).toEqual(['link-broken']);
});
