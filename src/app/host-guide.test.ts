// What a page tells a person who connects a host: commands of this machine for those who may see it, plain ones for others.
import { expect, test } from 'vitest';
import { createHostGuide, type Launch } from './host-guide.ts';

const launch: Launch = {
  program: ['node', '/opt/checkout/dist/cli.js'],
  server: ['node', '/opt/checkout/dist/cli.js', 'mcp', '--root', '/opt/skills', '--default-roots'],
  options: { store: ['--data', '/srv/data'], catalog: ['--root', '/opt/skills'], typed: [], sources: [] },
  machine: { home: '/home/me', variables: {}, platform: 'linux', exists: (path) => path === '/home/me/.claude' },
  project: '/home/me',
  showPath: (path) => path.replace('/home/me', '~'),
};

const ADDRESS = 'http://127.0.0.1:7337';

async function find(id: string, { authentication = 'on' as 'on' | 'off', mayShowPaths = true } = {}) {
  const hosts = await createHostGuide(launch, authentication).hosts(ADDRESS, mayShowPaths);
  const found = hosts.find((host) => host.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

test('the commands are those of the program as it was started, with its folders (U6)', async () => {
  expect(createHostGuide(launch, 'on').commands(true)).toEqual({
    program: 'node /opt/checkout/dist/cli.js',
    store: '--data /srv/data',
    catalog: '--root /opt/skills',
    typed: '',
    sources: '',
  });
  expect(await find('claude-code')).toMatchObject({
    is_found: true,
    file: '~/.claude.json',
    http: {
      command: `REPERTOIRE_TOKEN=YOUR_TOKEN node /opt/checkout/dist/cli.js connect claude-code --http ${ADDRESS}/mcp`,
    },
    program: { command: 'node /opt/checkout/dist/cli.js connect claude-code --root /opt/skills --default-roots' },
  });
  expect(await find('codex')).toMatchObject({ is_found: false, format: 'toml' });
});

test('a token stands in no list of processes, except where the shell cannot set a variable (U1)', async () => {
  const commandOn = async (platform: NodeJS.Platform) => {
    const guide = createHostGuide({ ...launch, machine: { ...launch.machine, platform } }, 'on');
    return (await guide.hosts(ADDRESS, true)).find(({ id }) => id === 'claude-code')?.http?.command;
  };
  expect(await commandOn('darwin')).toMatch(/^REPERTOIRE_TOKEN=YOUR_TOKEN node [^=]* connect [^=]*\/mcp$/);
  expect(await commandOn('win32')).toMatch(/^node .* --token YOUR_TOKEN$/);
});

test('no path of this machine is told to those who may not see it (H5)', async () => {
  const hosts = await createHostGuide(launch, 'on').hosts(ADDRESS, false);
  const told = JSON.stringify([hosts, createHostGuide(launch, 'on').commands(false)]);
  expect(told).not.toMatch(/opt|srv|home/);
  expect(await find('claude-code', { mayShowPaths: false })).toMatchObject({
    is_found: null,
    file: '~/.claude.json',
    program: { command: 'repertoire connect claude-code' },
  });
});

test('an address stays one word of the command, whatever is in it (U6)', async () => {
  const hosts = await createHostGuide(launch, 'off').hosts("http://a';touch x;'", false);
  const command = hosts.find(({ id }) => id === 'claude-code')?.http?.command;
  expect(command).toBe(`repertoire connect claude-code --http 'http://a'\\'';touch x;'\\''/mcp'`);
});

test('without authentication nothing speaks of a token (U1)', async () => {
  const { http } = await find('claude-code', { authentication: 'off' });
  expect(http?.command).not.toMatch(/token/i);
  expect(http?.entry).not.toContain('Authorization');
});

test('a host that reads its token elsewhere says where, and no token stands in its entry (U1)', async () => {
  const fx = await find('fx');
  expect(fx.token_variable).toBe('REPERTOIRE_TOKEN');
  expect(fx.http?.entry).not.toContain('YOUR_TOKEN');
});

test('a host that is not in the table gets an entry, no command, and words without its name (U1)', async () => {
  expect(await find('other')).toMatchObject({
    title: 'Any other MCP host',
    http: { command: null },
    program: { command: null },
    next: 'restart the host; it lists "repertoire" among its MCP servers.',
  });
});
