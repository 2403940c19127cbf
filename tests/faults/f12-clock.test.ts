// F12: the clock is not trusted. It jumps back and forth while skills change.
import { utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coldView, fullViewOf, openWatchedCatalog } from '../../src/catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../src/catalog/fixtures/skill-world.ts';

const HOUR = 3_600_000;
/** Without the regular look at everything: what is seen was watched. */
const WATCHED = { rescanMs: HOUR };

test('changes are seen, and whole, wherever the clock stands (F12)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  const catalog = await openWatchedCatalog([world.at('root')], { now, ...WATCHED });
  for (const jump of [-HOUR, 24 * HOUR, -1, 0, -1_000 * HOUR, 50]) {
    offset = jump;
    world.skill('root/a', { body: `clock at ${jump}\n` });
    world.skill(`root/new${jump}`);
    world.write('root/a/notes.md', `notes at ${jump}`);
    const cold = await coldView([world.at('root')]);
    await expect.poll(() => fullViewOf(catalog)).toEqual(cold);
    const skill = catalog.current.findByName('a');
    const read = skill && (await catalog.readFile(skill, 'notes.md'));
    expect(read?.ok && read.value.toString()).toBe(`notes at ${jump}`);
  }
});

test('a clock that goes back with each look stops neither a refresh nor a read (F12)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  world.write('root/a/notes.md', 'notes');
  let time = Date.now();
  const now = () => {
    time -= 250;
    return new Date(time);
  };
  const catalog = await openWatchedCatalog([world.at('root')], { now, ...WATCHED });
  for (let index = 0; index < 5; index += 1) {
    world.skill('root/a', { body: `text ${index}\n` });
    await catalog.refresh();
  }
  await expect.poll(() => catalog.current.findByName('a')?.bytes.toString()).toContain('text 4');
  const skill = catalog.current.findByName('a');
  expect(skill && (await catalog.readFile(skill, 'notes.md'))).toMatchObject({ ok: true });
});

test('files with times of the future or of 1970 are served, and their changes seen (F12)', async () => {
  const world = createSkillWorld();
  const [future, past] = [world.skill('root/future'), world.skill('root/past')].map((folder) => `${folder}/SKILL.md`);
  const age = () => {
    utimesSync(future ?? '', new Date(Date.now() + 1_000 * HOUR), new Date(Date.now() + 1_000 * HOUR));
    utimesSync(past ?? '', new Date(0), new Date(0));
  };
  age();
  const catalog = await openWatchedCatalog([world.at('root')], WATCHED);
  expect(catalog.current.skills).toHaveLength(2);
  world.skill('root/future', { body: 'edited\n' });
  world.skill('root/past', { body: 'edited\n' });
  age();
  const cold = await coldView([world.at('root')]);
  await expect.poll(() => fullViewOf(catalog)).toEqual(cold);
});
