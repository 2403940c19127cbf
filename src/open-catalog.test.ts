// The catalog as programs open it: whose folders are read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSkill } from '../tests/support/write-skill.ts';
import { type OpenCatalogOptions, openCatalog } from './open-catalog.ts';

let project = '';
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'repertoire-hosts-'));
  writeSkill(join(project, '.cursor/skills'), 'of-cursor');
  writeSkill(join(project, '.gemini/skills'), 'of-gemini');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

test.each<[OpenCatalogOptions, readonly string[]]>([
  [{ hosts: ['cursor'] }, ['of-cursor']],
  [{ agents: ['cursor'] }, ['of-cursor']],
  [{ hosts: ['cursor'], agents: ['gemini-cli'] }, ['of-cursor', 'of-gemini']],
])('openCatalog(%o) reads the folders of these hosts (C)', async (options, names) => {
  const catalog = await openCatalog({ roots: [join(project, 'none')], project, watch: false, ...options });
  const found = catalog.current.skills.map(({ name }) => name).filter((name) => name.startsWith('of-'));
  expect(found.sort()).toEqual(names);
  catalog.close();
});

test.each(['hosts', 'agents'])('an unknown name in %s is refused', async (field) => {
  await expect(openCatalog({ [field]: ['nothing'] })).rejects.toThrow('no host is called "nothing"');
});
