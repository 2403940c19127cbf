// Any sequence of changes on disk, followed by quiet, ends in what a catalog sees that starts then (F7).
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { applyBetween, betweenStarts } from './fixtures/between-starts.ts';
import { applyChange, diskChanges } from './fixtures/disk-change.ts';
import {
  coldView,
  fullViewOf,
  openTestCatalog,
  openUnaskedCatalog,
  openWatchedCatalog,
} from './fixtures/open-test-catalog.ts';
import { prepareWorlds } from './fixtures/remembered-rounds.ts';
import { startFrom } from './fixtures/remembered-start.ts';
import { createSkillWorld, SkillWorld } from './fixtures/skill-world.ts';
import { openNoteFiles } from './remember/note-files.ts';

const SKILLS = ['root/a', 'root/group/d', 'root/a/inner', 'second/a', 'second/z'];

test('watched: equal to a cold scan after the last change', async () => {
  const home = createSkillWorld();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(diskChanges, fc.nat(3), async (changes, pause) => {
      run += 1;
      const world = worldIn(home, String(run));
      const roots = [world.at('root'), world.at('second')];
      const catalog = await openWatchedCatalog(roots);
      for (const change of changes) {
        applyChange(world, change);
        if (pause > 0) await sleep(pause * 9);
      }
      const cold = await coldView(roots);
      await expect.poll(() => fullViewOf(catalog)).toEqual(cold);
      catalog.close();
    }),
    { numRuns: 25 },
  );
});

/** A start that looks inside skills by itself begins to watch with it, 30 ms after its first answer. */
const MOMENTS_MS = [0, 0, 15, 28, 31, 34, 40] as const;
/** File times are believed when they are older than a blink. */
const SETTLED_MS = 60;
/** What a regular rescan would find in the end must be found without it. */
const NEVER_MS = 100_000_000;

/** A file that is written under its other name tells nothing to the watchers of this one: only a regular rescan sees it. */
const changesOfStarts = betweenStarts.map((changes) =>
  changes.filter((change) => !('trick' in change && change.trick === 'hard-link')),
);

test('watched from its start on: equal to a cold scan after changes at any moment of it, also where it remembers', async () => {
  const home = createSkillWorld();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      changesOfStarts,
      fc.constantFrom(...MOMENTS_MS),
      fc.boolean(),
      async (changes, moment, remembers) => {
        run += 1;
        const [world] = await prepareWorlds([home.at(String(run))]);
        if (world === undefined) throw new Error('there is no world');
        const roots = [world.at('root')];
        const data = world.folder('data');
        if (remembers) await startFrom({ data, roots });
        const options = { rescanMs: NEVER_MS, ...(remembers && { notes: openNoteFiles(data, '1.0.0') }) };
        const catalog = await openUnaskedCatalog(roots, options);
        if (moment > 0) await sleep(moment);
        for (const change of changes) applyBetween(world, change);
        await catalog.live;
        await sleep(SETTLED_MS);
        const cold = await coldView(roots);
        const seen = async () => {
          const view = await fullViewOf(catalog);
          return isColdButForHeld(view, cold) ? cold : view;
        };
        await expect.poll(seen).toEqual(cold);
        catalog.close();
      },
    ),
    { numRuns: 30 },
  );
});

type View = Awaited<ReturnType<typeof fullViewOf>>;

/** A text that broke leaves its last good one (D8), of which a cold scan knows nothing: all others are as there. */
function isColdButForHeld(view: View, cold: View): boolean {
  const isHeld = ({ availability }: View['skills'][number]) => availability === 'fallback';
  const held = new Set(view.skills.filter(isHeld).map(({ filePath }) => filePath));
  if (held.size === 0 || cold.skills.some(({ filePath }) => held.has(filePath))) return false;
  const texts = ({ skills }: View) => skills.filter((skill) => !isHeld(skill)).map((skill) => [skill.uri, skill.bytes]);
  return isDeepStrictEqual(texts(view), texts(cold));
}

test('unwatched: each refresh is equal to a cold scan at once', async () => {
  const home = createSkillWorld();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(diskChanges, { minLength: 1, maxLength: 3 }), async (rounds) => {
      run += 1;
      const world = worldIn(home, String(run));
      const roots = [world.at('root'), world.at('second')];
      const catalog = await openTestCatalog(roots);
      for (const changes of rounds) {
        for (const change of changes) applyChange(world, change);
        await catalog.refresh();
        expect(await fullViewOf(catalog)).toEqual(await coldView(roots));
      }
      catalog.close();
    }),
    { numRuns: 60 },
  );
});

function worldIn(home: SkillWorld, name: string): SkillWorld {
  const world = new SkillWorld(home.folder(name));
  for (const skill of SKILLS) world.skill(skill);
  return world;
}
