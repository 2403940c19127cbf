// `add`, `update` and `sync` of sources, killed at a hundred random moments (S5).
import { hasGit } from '../../../src/sources/fixtures/source-world.ts';
import { killOften } from '../killed-sources.ts';
import type { FaultPart } from './fault-part.ts';

const KILLS = 100;

export const sourceFaults: FaultPart = async ({ check, skip, random, progress }) => {
  const name = `add, update and sync, kill -9 at ${KILLS} random moments`;
  if (!hasGit) return skip(name, 'there is no git on this machine');
  await check(name, async () => {
    const { killed, ended } = await killOften(KILLS, random(), progress);
    return `${killed} killed, ${ended} had ended; every lock and all content old or new, whole`;
  });
};
