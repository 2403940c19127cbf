// Which skills a client is shown, and in which order.
import { describe, expect, test } from 'vitest';
import { foundSkill } from '../../../catalog/fixtures/found-folder-value.ts';
import { openTestCatalog, testRoot } from '../../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import type { FoundFolder } from '../../../catalog/view/found-folder.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import { createSnapshot } from '../../../catalog/view/snapshot.ts';
import { clientCalled, folderWith, stillRepertoire } from '../fixtures/still-table.ts';
import { createView, type ViewOptions } from './view.ts';

const ofProject: Partial<Skill> = { isOfProject: true };
const nested: Partial<Skill> = { isNested: true };

function openView(folders: readonly FoundFolder[], options: ViewOptions = {}) {
  const view = createView(stillRepertoire(createSnapshot(folders, [])), options);
  return {
    view,
    seenBy: (client: string) => view.visibleTo(clientCalled(client)),
    namesFor: (client: string) => view.visibleTo(clientCalled(client)).skills.map(({ name }) => name),
    promptsFor: (client: string) => view.promptsFor(clientCalled(client)).map(({ name }) => name),
  };
}
const namesOf = (folders: readonly FoundFolder[], options?: ViewOptions) => openView(folders, options).namesFor('x');

describe('visibleTo()', () => {
  test('orders by name, with those of the project before those of the user', () => {
    const folders = [folderWith('c'), folderWith('b'), folderWith('z', ofProject), folderWith('y', ofProject)];
    expect(namesOf(folders)).toEqual(['y', 'z', 'b', 'c']);
  });

  test('shows pinned skills first, in the order given, in any letter case and once', () => {
    const folders = ['a', 'b', 'c', 'd'].map((name) => folderWith(name));
    const options = { pinned: [' C ', 'unknown', 'b', 'c'] };
    expect(namesOf(folders, options)).toEqual(['c', 'b', 'a', 'd']);
    expect(openView(folders, options).seenBy('x')).toMatchObject({ pinned: 2, native: 0 });
  });

  test('then by priority, higher first; below zero comes last', () => {
    const folders = [
      folderWith('a'),
      folderWith('b', { priority: -1 }),
      folderWith('c', { priority: 2.5 }),
      folderWith('d', { priority: 10 }),
      folderWith('e', ofProject),
      folderWith('f', { priority: 2.5, ...ofProject }),
    ];
    expect(namesOf(folders)).toEqual(['d', 'f', 'c', 'e', 'a', 'b']);
    expect(namesOf(folders, { pinned: ['b'] })).toEqual(['b', 'd', 'f', 'c', 'e', 'a']);
  });

  test('reads the priority from metadata.priority of the SKILL.md', async () => {
    const world = createSkillWorld();
    const metadata = { a: '', b: 'metadata:\n  priority: "1"\n', c: 'metadata:\n  priority: 2\n' };
    for (const [name, lines] of Object.entries(metadata))
      world.write(`root/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does it.\n${lines}---\n`);
    const { current } = await openTestCatalog([world.at('root')]);
    const { skills } = createView(stillRepertoire(current)).visibleTo(clientCalled('x'));
    expect(skills.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  });

  test('then by how often they were loaded, asked once for each state of the skills', () => {
    const loads = new Map([
      ['b', 7],
      ['c', 9],
      ['p', 1],
    ]);
    let asked = 0;
    const loadsOf = ({ name }: Skill) => {
      asked += 1;
      return loads.get(name) ?? 0;
    };
    const folders = [...['a', 'b', 'c'].map((name) => folderWith(name)), folderWith('p', ofProject)];
    const { namesFor } = openView(folders, { loadsOf });
    expect(namesFor('x')).toEqual(['p', 'c', 'b', 'a']);
    const once = asked;
    expect(namesFor('x')).toEqual(['p', 'c', 'b', 'a']);
    expect(asked).toBe(once);
  });

  test('does not offer a skill by a name that is served by another', () => {
    const [first, second] = [testRoot('/first'), testRoot('/second')];
    const folders = [foundSkill(first, 'x/pdf'), foundSkill(second, 'y/pdf')];
    expect(openView(folders).seenBy('x').skills).toEqual([folders[0]?.skill]);
  });

  test('leaves skills inside other skills to search, unless they are pinned', () => {
    const folders = [folderWith('outer'), folderWith('inner', nested)];
    expect(namesOf(folders)).toEqual(['outer']);
    expect(namesOf(folders, { pinned: ['inner'] })).toEqual(['inner', 'outer']);
  });
});

describe('of skills that the host reads by itself (D10)', () => {
  const folders = [folderWith('a'), folderWith('b'), folderWith('inner', nested), folderWith('c')];
  const own = new Set(folders.slice(1, 3).flatMap(({ skill }) => skill ?? []));
  const findNative: ViewOptions['findNative'] = (_snapshot, client) => (client === 'host' ? own : new Set());

  test('the host is shown none, also of those that are pinned; others are', () => {
    const { seenBy, namesFor } = openView(folders, { findNative, pinned: ['b', 'c'] });
    expect(namesFor('host')).toEqual(['c', 'a']);
    expect(seenBy('host')).toMatchObject({ pinned: 1, native: 1 });
    expect(namesFor('other')).toEqual(['b', 'c', 'a']);
    expect(seenBy('other')).toMatchObject({ pinned: 2, native: 0 });
  });

  test('the host is offered none as prompts, those inside other skills included; others are', () => {
    const { promptsFor } = openView(folders, { findNative });
    expect(promptsFor('host')).toEqual(['a', 'c']);
    expect(promptsFor('other')).toEqual(['a', 'b', 'c', 'inner']);
  });
});
