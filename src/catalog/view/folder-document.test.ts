// The text of a SKILL.md by its folder's own name. The sentence of each failure is tested where surfaces answer it.
import { expect, test } from 'vitest';
import { openTestCatalog } from '../fixtures/open-test-catalog.ts';
import { createSkillWorld, skillText } from '../fixtures/skill-world.ts';
import { findFolderDocument } from './folder-document.ts';

async function find(name: string) {
  const world = createSkillWorld();
  world.skill('root/Folder', { name: 'other' });
  return findFolderDocument((await openTestCatalog([world.at('root')])).current, name);
}

test('answers the name as it was asked for and the whole text (T6)', async () => {
  const value = { skillName: 'FOLDER', documentation: skillText('other') };
  expect(await find('FOLDER')).toEqual({ ok: true, value });
});

test("does not know a skill by its frontmatter's name (T6)", async () => {
  expect(await find('other')).toEqual({ ok: false, failure: "Skill 'other' not found in skills folder" });
});

test('refuses an unsafe name whole, also where only its first part is shown (T6)', async () => {
  const failure = `Invalid skill name: '${'x'.repeat(1_000)}…'. Skill names must not contain '/', '\\', or '..'`;
  expect(await find(`${'x'.repeat(5_000)}/..`)).toEqual({ ok: false, failure });
});

test('does not echo an endless name', async () => {
  const failure = `Skill '${'x'.repeat(1_000)}…' not found in skills folder`;
  expect(await find('x'.repeat(100_000))).toEqual({ ok: false, failure });
});
