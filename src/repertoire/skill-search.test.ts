// Search over a catalog: made once, followed step by step.
import { afterEach, expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../tests/support/patience.ts';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../catalog/fixtures/skill-world.ts';
import { agentCaller, type Caller } from '../identity/caller.ts';
import { Corpus } from '../search/corpus.ts';
import { testSkill } from '../skills/fixtures/test-skill.ts';
import { createRuntime } from '../skills/run/runtime.ts';
import { createRepertoire, type Repertoire } from './repertoire.ts';

afterEach(() => vi.restoreAllMocks());

const skillText = (name: string, description: string, body = '') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

test('one changed skill re-indexes one skill, one that is gone leaves the index (T13)', async () => {
  const world = createSkillWorld();
  const descriptions = { a: 'Bakes bread.', b: 'Sews curtains.', c: 'Tunes pianos.' };
  for (const [name, text] of Object.entries(descriptions)) world.write(`root/${name}/SKILL.md`, skillText(name, text));
  const catalog = await openTestCatalog([world.at('root')]);
  const repertoire = createRepertoire(catalog);
  const put = vi.spyOn(Corpus.prototype, 'put');
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
  const put = vi.spyOn(Corpus.prototype, 'put');
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

/** More than a search waits for. */
function manySkills() {
  const world = createSkillWorld();
  for (let index = 0; index < 100; index += 1) {
    world.write(
      `root/s${index}/SKILL.md`,
      skillText(`s${index}`, 'Does things.', index === 42 ? 'Only here: quinces.\n' : ''),
    );
  }
  world.write(
    'root/sql-review/SKILL.md',
    skillText('sql-review', 'Checks migrations before they run.', '# How\n\nZebra.\n'),
  );
  world.write('root/bread/SKILL.md', skillText('bread', 'Bakes.', '# Title\n\n## Sourdough starters\n\nFlour.\n'));
  return world;
}

/** What only a body has is only found by the index. */
const untilIndexed = (repertoire: Repertoire) => repertoire.search('quinces');

test.each([
  ['SQL Review', { name: 'sql-review', why: 'name: SQL, Review' }],
  ['check a migration', { name: 'sql-review', why: 'description: check, migration' }],
  ['sourdough', { name: 'bread', kind: 'document', why: 'heading: sourdough' }],
])(
  'the first search among many is answered by names, descriptions and headings, before anything is indexed: %s (T13)',
  async (query, first) => {
    const repertoire = createRepertoire(await openTestCatalog([manySkills().at('root')]));
    const put = vi.spyOn(Corpus.prototype, 'put');
    const [found] = await repertoire.search(query);
    expect(put).not.toHaveBeenCalled();
    expect(found).toMatchObject(first);
    await untilIndexed(repertoire);
  },
);

test('the index is built aside, each skill once, and then answers from everything (T13)', async () => {
  const repertoire = createRepertoire(await openTestCatalog([manySkills().at('root')]));
  const put = vi.spyOn(Corpus.prototype, 'put');
  // By its name at first sight; by its body as well once the index is there.
  const found = async () => (await repertoire.search('bread zebra')).map(({ name }) => name);
  expect(await found()).toEqual(['bread']);
  await expect.poll(found, { timeout: PATIENCE_MS }).toEqual(['bread', 'sql-review']);
  expect(put).toHaveBeenCalledTimes(102);
});

test('what no name, description or heading has is looked for in everything, at once (T13)', async () => {
  const repertoire = createRepertoire(await openTestCatalog([manySkills().at('root')]));
  const put = vi.spyOn(Corpus.prototype, 'put');
  const [inBody, misspelled] = await Promise.all([repertoire.search('quinces'), repertoire.search('migartions')]);
  expect(inBody[0]).toMatchObject({ name: 's42', why: 'body: quinces' });
  expect(misspelled[0]?.name).toBe('sql-review');
  expect(put).toHaveBeenCalledTimes(102);
});

test('a document without a name is found at first sight as well (T2, T13)', async () => {
  const world = manySkills();
  world.write('root/calculator/SKILL.md', '# Pocket calculator\n\nAdds numbers.\n');
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]));
  const put = vi.spyOn(Corpus.prototype, 'put');
  expect(await repertoire.search('calculator')).toMatchObject([{ name: 'calculator', kind: 'document' }]);
  expect(put).not.toHaveBeenCalled();
  await untilIndexed(repertoire);
});

test.each([
  ['no name', '---\ndescription: Converts currencies.\n---\n# Notes\n'],
  ['no name and no text below', '---\ndescription: Converts currencies.\n---\n'],
  ['a name that reads as a path', '---\nname: ../up\ndescription: Converts currencies.\n---\n# Notes\n'],
  ['YAML that cannot be read', '---\nname: [exchange\ndescription: Converts currencies.\n---\n# Notes\n'],
])('a document with %s is found by the words of its frontmatter (T2, T13)', async (_case, text) => {
  const world = createSkillWorld();
  world.write('root/exchange/SKILL.md', text);
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]));
  expect(await repertoire.search('currencies')).toMatchObject([{ name: 'exchange', uri: 'skill://exchange/SKILL.md' }]);
});

test('a server that is not asked indexes nothing (T13)', async () => {
  const put = vi.spyOn(Corpus.prototype, 'put');
  const catalog = await openTestCatalog([manySkills().at('root')]);
  const repertoire = createRepertoire(catalog);
  repertoire.loadByName('bread');
  await catalog.refresh();
  expect(put).not.toHaveBeenCalled();
});

test('a typed skill that the caller may not invoke is found in neither way (T13, X10)', async () => {
  const skill = testSkill({ name: 'bread_orders', description: 'Orders bread.', assignedTo: ['TaskAgent'] });
  const runtime = createRuntime({ skills: [skill] });
  const repertoire = createRepertoire(await openTestCatalog([manySkills().at('root')]), { runtime });
  const found = async (caller?: Caller) => (await repertoire.search('bread', 5, caller)).map(({ name }) => name);
  const stranger = agentCaller('Stranger');
  const put = vi.spyOn(Corpus.prototype, 'put');
  expect(await Promise.all([found(), found(stranger)])).toEqual([['bread', 'bread_orders'], ['bread']]);
  expect(put).not.toHaveBeenCalled();
  await untilIndexed(repertoire);
  expect(await Promise.all([found(), found(stranger)])).toEqual([['bread', 'bread_orders'], ['bread']]);
});
