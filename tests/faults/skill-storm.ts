// One random change of a folder of skills after another: creations, edits, renames, deletions (F7).
import { existsSync, renameSync } from 'node:fs';
import type { Random } from '../../bench/random.ts';
import type { SkillWorld } from '../../src/catalog/fixtures/skill-world.ts';

/** Below `root/`, with short rests in between. */
export async function changeAtRandom(world: SkillWorld, random: Random, changes: number): Promise<void> {
  for (let index = 0; index < changes; index += 1) {
    changeSomething(world, random);
    if (random() < 0.1) await new Promise((resolve) => setTimeout(resolve, random() * 15));
  }
}

function changeSomething(world: SkillWorld, random: Random): void {
  const pick = () => `root/g${Math.floor(random() * 4)}/s${Math.floor(random() * 40)}`;
  const [one, other] = [pick(), pick()];
  const kind = random();
  if (kind < 0.35) world.skill(one, { body: `body ${random()}\n` });
  else if (kind < 0.5) world.remove(one);
  else if (kind < 0.6) world.write(`${one}/notes.md`, String(random()));
  else if (kind < 0.62) world.remove(one.slice(0, 'root/g0'.length));
  else if (existsSync(world.at(one)) && one !== other) {
    world.remove(other);
    world.folder(other.slice(0, 'root/g0'.length));
    renameSync(world.at(one), world.at(other));
  }
}
