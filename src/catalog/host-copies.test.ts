// Which skills hosts are shown though they have them: other versions of the same name, and with --show-native the same.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isInstalled } from '../hosts/connect/host-files.ts';
import { openTestCatalog } from './fixtures/open-test-catalog.ts';
import { createSkillWorld } from './fixtures/skill-world.ts';
import { createHostCopies } from './host-copies.ts';
import { type RootRequest, resolveRoots } from './roots.ts';

const TEXT = '---\nname: notes\ndescription: Writes notes.\n---\nBody.\n';

interface Case {
  readonly served: string;
  /** Files by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly showNative?: boolean;
}

async function copiesIn({ served, files, showNative = false }: Case) {
  const world = createSkillWorld();
  world.folder('project/.git');
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  const request: RootRequest = {
    project: world.at('project'),
    home: world.at('home'),
    given: [world.at(served)],
    withDefaults: false,
    workingDirectory: world.at('project'),
    agents: [],
    variables: {},
  };
  const { current } = await openTestCatalog(resolveRoots(request));
  const machine = { home: request.home, variables: {}, platform: 'linux', exists: existsSync };
  const find = createHostCopies(request, { showNative, isInstalled: (host) => isInstalled(host, machine) });
  return find(current).map(({ skill, hosts, isSame }) => ({ name: skill.name, hosts, isSame }));
}

const copiesOf = (hostText: string, showNative: boolean) =>
  copiesIn({
    served: 'shared',
    files: { 'shared/notes/SKILL.md': TEXT, 'home/.claude/skills/notes/SKILL.md': hostText },
    showNative,
  });

test('a host that has another version is told; one that has the same is shown it once, and nothing is told', async () => {
  expect(await copiesOf(`${TEXT}More.\n`, false)).toEqual([{ name: 'notes', hosts: ['Claude Code'], isSame: false }]);
  expect(await copiesOf(TEXT, false)).toEqual([]);
});

test('with --show-native the same is told, too', async () => {
  expect(await copiesOf(TEXT, true)).toEqual([{ name: 'notes', hosts: ['Claude Code'], isSame: true }]);
});

test('hosts that read the served folder itself have no other copy of it', async () => {
  const files = {
    'home/.agents/skills/notes/SKILL.md': TEXT,
    'home/.pi/agent/mcp.json': '{}',
    'home/.qwen/settings.json': '{}',
    'home/.codex/config.toml': '',
  };
  expect(await copiesIn({ served: 'home/.agents/skills', files })).toEqual([]);
});

test('a host that is not installed has no copy, one that is does', async () => {
  const files = { 'shared/notes/SKILL.md': TEXT, 'home/.agents/skills/notes/SKILL.md': `${TEXT}More.\n` };
  expect(await copiesIn({ served: 'shared', files })).toEqual([]);
  const installed = { ...files, 'home/.qwen/settings.json': '{}', 'home/.pi/agent/mcp.json': '{}' };
  expect(await copiesIn({ served: 'shared', files: installed })).toEqual([
    { name: 'notes', hosts: ['Pi', 'Qwen Code'], isSame: false },
  ]);
});
