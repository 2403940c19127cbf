// What the program shows hosts unasked: pinned skills first, exact counts, the same in both eras (PROTOCOL).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listTools } from '../support/document-tools.ts';
import { modernMeta } from '../support/modern-meta.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const nameOf = (index: number) => `about-${String(index).padStart(4, '0')}`;
const description = 'Words about what this skill is for and when an agent should load it. '.repeat(4);
const linesOf = (text: string): readonly string[] => text.slice(text.indexOf('kills:\n') + 7).split('\n');

test.each([0, 1, 10, 100, 1_000])('with %i skills each is shown on one line or counted (T8)', async (count) => {
  for (let index = 0; index < count; index += 1) writeSkill(world.skills, nameOf(index), { description });
  const client = await world.serve();
  const tool = (await listTools(client)).find(({ name }) => name === 'skill');
  for (const text of [String(client.hello.instructions), tool?.description ?? '']) {
    const lines = linesOf(text.slice(text.lastIndexOf('\n\n')));
    const shown = lines.filter((line) => line.startsWith('- '));
    const hidden = Number(
      /^([\d,]+) more skills?: call search_skills$/.exec(lines.at(-1) ?? '')?.[1]?.replaceAll(',', '') ?? 0,
    );
    expect(shown.length + hidden).toBe(count);
    expect(shown.map((line) => line.slice(2, 12))).toEqual(shown.map((_, index) => nameOf(index)));
  }
});

test('--pin puts skills first, before those whose authors gave them a priority', async () => {
  for (let index = 0; index < 200; index += 1) writeSkill(world.skills, nameOf(index), { description });
  writeSkill(world.skills, 'urgent', { fields: ['metadata:', '  priority: "5"'] });
  const args = ['--pin', nameOf(150).toUpperCase(), '--pin', nameOf(120)];
  const old = await world.serve({ args });
  const modern = await world.serve({ args, greet: false });
  const discovered = await modern.request('server/discover', { _meta: modernMeta() });
  expect(discovered.result?.instructions).toBe(old.hello.instructions);
  const [first, second, third] = linesOf(String(old.hello.instructions));
  expect([first?.slice(2, 12), second?.slice(2, 12)]).toEqual([nameOf(150), nameOf(120)]);
  expect(third).toBe('- urgent (Does urgent things.)');
});
