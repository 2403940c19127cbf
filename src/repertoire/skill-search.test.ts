// Search over a catalog: made once, followed step by step.
import { afterEach, expect, test, vi } from 'vitest';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../catalog/fixtures/skill-world.ts';
import { SearchIndex } from '../search/search-index.ts';
import { testSkill } from '../skills/fixtures/test-skill.ts';
import { createRuntime } from '../skills/run/runtime.ts';
import { createRepertoire } from './repertoire.ts';

afterEach(() => vi.restoreAllMocks());

const skillText = (name: string, description: string, body = '') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

test('one changed skill re-indexes one skill, one that is gone leaves the index (T13)', async () => {
  const world = createSkillWorld();
  const descriptions = { a: 'Bakes bread.', b: 'Sews curtains.', c: 'Tunes pianos.' };
  for (const [name, text] of Object.entries(descriptions)) world.write(`root/${name}/SKILL.md`, skillText(name, text));
  const catalog = await openTestCatalog([world.at('root')]);
  const repertoire = createRepertoire(catalog);
  const put = vi.spyOn(SearchIndex.prototype, 'put');
  await repertoire.search('bread');
  expect(put).toHaveBeenCalledTimes(3);
  await repertoire.search('curtains');
  expect(put).toHaveBeenCalledTimes(3);
  world.write('root/b/SKILL.md', skillText('b', 'Paints fences.'));
  world.remove('root/c');
  await catalog.refresh();
  expect((await repertoire.search('fences')).map(({ name }) => name)).toEqual(['b']);
  expect(put).toHaveBeenCalledTimes(4);
  expect(await repertoire.search('pianos')).toEqual([]);
});

test('searches at the same time share one making of the index (T13)', async () => {
  const world = createSkillWorld();
  for (let index = 0; index < 50; index += 1) world.skill(`root/s${index}`);
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]));
  const put = vi.spyOn(SearchIndex.prototype, 'put');
  const answers = await Promise.all([
    repertoire.search('things'),
    repertoire.search('things'),
    repertoire.search('s7'),
  ]);
  expect(put).toHaveBeenCalledTimes(50);
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[2]?.[0]?.name).toBe('s7');
});

test('a name that passes to another skill is found there (T13, D5)', async () => {
  const world = createSkillWorld();
  world.write('root/x/pdf/SKILL.md', skillText('pdf', 'Reads scans.'));
  world.write('root/y/pdf/SKILL.md', skillText('pdf', 'Reads forms.'));
  const catalog = await openTestCatalog([world.at('root')]);
  const repertoire = createRepertoire(catalog);
  const found = async () => (await repertoire.search('pdf')).map(({ description }) => description);
  expect(await found()).toEqual(['Reads scans.']);
  world.remove('root/x/pdf');
  await catalog.refresh();
  expect(await found()).toEqual(['Reads forms.']);
});

test('typed skills are found beside the documents (T13)', async () => {
  const world = createSkillWorld();
  world.write('root/pdf/SKILL.md', skillText('pdf', 'Fills in forms.'));
  const skill = testSkill({ name: 'task_creation', description: 'Creates a task for a user.' });
  const runtime = createRuntime({ skills: [skill] });
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]), { runtime });
  expect(await repertoire.search('create tasks')).toMatchObject([
    { name: 'task_creation', kind: 'typed', uri: undefined },
  ]);
  expect(await repertoire.search('task_creation')).toHaveLength(1);
  expect(await repertoire.search('forms')).toMatchObject([{ name: 'pdf', kind: 'document' }]);
});
