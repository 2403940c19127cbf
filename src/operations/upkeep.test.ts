// What upkeep asks of the repertoire; what it makes of the answers is in src/upkeep.
import { afterEach, expect, test, vi } from 'vitest';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../catalog/fixtures/skill-world.ts';
import { createRepertoire } from '../repertoire/repertoire.ts';
import { HeadScan } from '../search/head-scan.ts';
import { lookAfter, type UpkeepPorts } from './upkeep.ts';

afterEach(() => vi.restoreAllMocks());

async function openPorts(): Promise<UpkeepPorts> {
  const world = createSkillWorld();
  // More than a search waits for: without the index it would go through the heads.
  for (let index = 0; index < 100; index += 1)
    world.write(
      `root/s${index}/SKILL.md`,
      `---\nname: s${index}\ndescription: Sorts letters of kind${index}.\n---\nSort them by kind${index}.\n`,
    );
  return {
    repertoire: createRepertoire(await openTestCatalog([world.at('root')])),
    logs: undefined,
    now: () => new Date(),
    upkeep: { hostCopies: () => [], changedAt: () => undefined, isBuiltin: () => false },
  };
}

test('the searches of upkeep wait for the index: none goes through all heads, the first report is that of every later one', async () => {
  const add = vi.spyOn(HeadScan.prototype, 'add');
  const ports = await openPorts();
  const first = await lookAfter('30d', ports);
  expect(add).not.toHaveBeenCalled();
  expect(first.skills).toBe(100);
  expect(await lookAfter('30d', ports)).toEqual(first);
});
