// A server with more folders than the system lets it watch (F7): it finds changes in the others by polling.
import { spawnSync } from 'node:child_process';
import type { SkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import { type McpProcess, startMcp } from './mcp-process.ts';

// Each user namespace has its own limit, which its owner may lower. Not every machine allows making one.
const LIMITED = ['unshare', '-Ur'];
const FEW_WATCHERS = 'echo 12 > /proc/sys/user/max_inotify_watches';

export const NO_NAMESPACE = 'this machine allows no user namespace, in which alone watchers can be made to run out';

export const canLimitWatchers = (): boolean =>
  spawnSync('sh', ['-c', '"$@"', 'sh', ...LIMITED, 'sh', '-c', FEW_WATCHERS]).status === 0;

/** The regular look at everything comes once a day: nothing is seen because of it. */
export const startWithFewWatchers = (world: SkillWorld): Promise<McpProcess> =>
  startMcp({
    home: world.folder('home'),
    args: ['--root', world.at('root'), '--rescan', '86400'],
    before: FEW_WATCHERS,
    wrapper: LIMITED,
  });

/** Below `root/`: more than there are watchers. */
export function writeManySkills(world: SkillWorld, body: string): void {
  for (let index = 0; index < 40; index += 1) world.skill(`root/s${index}`, { body: `${body}\n` });
}

/** Of some among those that `writeManySkills` wrote. */
export async function areSeen({ call }: McpProcess, body: string): Promise<boolean> {
  const texts = await Promise.all(['s0', 's20', 's39'].map((name) => call('skill', { name })));
  return texts.every(({ text }) => text.includes(body));
}
