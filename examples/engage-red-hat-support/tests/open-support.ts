// The support server with and without skills, on both SDK generations and in both eras.
import { openTestCatalog } from '../../../src/catalog/fixtures/open-test-catalog.ts';
import {
  connectLegacy,
  connectModern,
  connectOlder,
  type MemoryClient,
} from '../../../src/surfaces/mcp/fixtures/memory-client.ts';
import { registerSkills } from '../../../src/surfaces/mcp/sdk.ts';
import { registerSkills as registerSkillsV1 } from '../../../src/surfaces/mcp/sdk-v1.ts';
import { buildServer } from '../build-server.ts';
import { buildServerV1 } from '../build-server-v1.ts';
import { createSupportDesk } from '../support-desk.ts';
import { SKILL_OPTIONS, SKILLS_FOLDER } from '../support-surface.ts';

export interface Generation {
  readonly label: string;
  /** `folder`: where its skills are, unless those of the example. */
  open(withSkills: boolean, folder?: string): Promise<MemoryClient>;
}

const current = (label: string, connect: typeof connectLegacy): Generation => ({
  label,
  open: async (withSkills, folder = SKILLS_FOLDER) => {
    const server = buildServer(createSupportDesk(), folder);
    if (withSkills) registerSkills(server, await openTestCatalog([folder]), SKILL_OPTIONS);
    return connect(server);
  },
});

export const GENERATIONS: readonly Generation[] = [
  {
    label: 'sdk 1.x',
    open: async (withSkills, folder = SKILLS_FOLDER) => {
      const server = buildServerV1(createSupportDesk(), folder);
      if (withSkills) registerSkillsV1(server, await openTestCatalog([folder]), SKILL_OPTIONS);
      return connectOlder(server);
    },
  },
  current('server 2.x, 2025-11-25', connectLegacy),
  current('server 2.x, 2026-07-28', connectModern),
];
