// Relative values in variables of the environment, which the library takes as they stand.
import { expect, test } from 'vitest';
import { mendUserPath } from './host-mends.ts';

const mend = (path: string, variables: Readonly<Record<string, string>>) =>
  mendUserPath(path, {
    environment: { home: '/home/me', workingDirectory: '/w', variables },
    platform: 'linux',
    exists: () => false,
  });

test.each([
  ['~/x/zed/settings.json', { XDG_CONFIG_HOME: '~/x' }, '/home/me/x/zed/settings.json'],
  ['x/zed/settings.json', { XDG_CONFIG_HOME: './x/' }, '/home/me/.config/zed/settings.json'],
  ['mcp.json', { PI_CODING_AGENT_DIR: '.' }, '/home/me/.pi/agent/mcp.json'],
  ['y/config.toml', { XDG_CONFIG_HOME: 'x', GROK_HOME: 'y' }, '/home/me/.grok/config.toml'],
  ['/abs/zed/settings.json', { XDG_CONFIG_HOME: '/abs' }, '/abs/zed/settings.json'],
  ['.cursor/mcp.json', {}, '.cursor/mcp.json'],
] as const)('mendUserPath() brings %s with %j under the rule for variables: %s (C)', (path, variables, mended) => {
  expect(mend(path, variables)).toBe(mended);
});
