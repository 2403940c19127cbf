// Where each host keeps its file: in the home directory, where a variable says, and on other platforms.
import { describe, expect, test } from 'vitest';
import { CONNECTABLE_HOSTS, type ConnectableHost, findConfigPath, findInstalled, type Machine } from './host-files.ts';

const machine = (fields: Partial<Machine> = {}): Machine => ({
  home: '/home/me',
  variables: {},
  platform: 'linux',
  exists: () => false,
  ...fields,
});
const hostOf = (id: string): ConnectableHost => {
  const host = CONNECTABLE_HOSTS.find((each) => each.id === id);
  if (host === undefined) throw new Error(`no host ${id}`);
  return host;
};
const pathOf = (id: string, fields?: Partial<Machine>) => findConfigPath(hostOf(id), 'user', '/p', machine(fields));
const existing =
  (...paths: readonly string[]) =>
  (path: string) =>
    paths.includes(path);

describe('findConfigPath()', () => {
  test.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json', '.claude.json'],
    ['codex', 'CODEX_HOME', '.codex/config.toml', 'config.toml'],
    ['github-copilot-cli', 'COPILOT_HOME', '.copilot/mcp-config.json', 'mcp-config.json'],
    ['gemini-cli', 'GEMINI_CLI_HOME', '.gemini/settings.json', '.gemini/settings.json'],
    ['opencode', 'XDG_CONFIG_HOME', '.config/opencode/opencode.jsonc', 'opencode/opencode.jsonc'],
    ['goose', 'XDG_CONFIG_HOME', '.config/goose/config.yaml', 'goose/config.yaml'],
    ['goose', 'GOOSE_PATH_ROOT', '.config/goose/config.yaml', 'config/config.yaml'],
    ['kilo-code', 'XDG_CONFIG_HOME', '.config/kilo/kilo.json', 'kilo/kilo.json'],
    ['grok-build', 'GROK_HOME', '.grok/config.toml', 'config.toml'],
    ['kimi-code', 'KIMI_CODE_HOME', '.kimi-code/mcp.json', 'mcp.json'],
    ['pi', 'PI_CODING_AGENT_DIR', '.pi/agent/mcp.json', 'mcp.json'],
    ['vscode', 'XDG_CONFIG_HOME', '.config/Code/User/mcp.json', 'Code/User/mcp.json'],
    ['zed', 'XDG_CONFIG_HOME', '.config/zed/settings.json', 'zed/settings.json'],
    [
      'claude-desktop',
      'XDG_CONFIG_HOME',
      '.config/Claude/claude_desktop_config.json',
      'Claude/claude_desktop_config.json',
    ],
    ['cline-cli', 'CLINE_DIR', '.cline/data/settings/cline_mcp_settings.json', 'data/settings/cline_mcp_settings.json'],
  ])('%s: %s moves the file when it is absolute or begins with ~/ (C)', (id, variable, usual, moved) => {
    expect(pathOf(id, { variables: { [variable]: '/x/' } })).toBe(`/x/${moved}`);
    expect(pathOf(id, { variables: { [variable]: '~/x' } })).toBe(`/home/me/x/${moved}`);
    for (const value of ['', '  ', 'x', './x']) {
      expect(pathOf(id, { variables: { [variable]: value } })).toBe(`/home/me/${usual}`);
    }
  });

  test('Copilot does not follow XDG_CONFIG_HOME', () => {
    expect(pathOf('github-copilot-cli', { variables: { XDG_CONFIG_HOME: '/x' } })).toBe(
      '/home/me/.copilot/mcp-config.json',
    );
  });

  test.each([
    ['darwin', 'vscode', 'Library/Application Support/Code/User/mcp.json'],
    ['darwin', 'zed', '.config/zed/settings.json'],
    ['darwin', 'goose', '.config/goose/config.yaml'],
    ['win32', 'vscode', 'AppData/Roaming/Code/User/mcp.json'],
    ['win32', 'zed', 'AppData/Roaming/Zed/settings.json'],
    ['win32', 'goose', 'AppData/Roaming/Block/goose/config/config.yaml'],
    ['win32', 'codex', '.codex/config.toml'],
  ])('on %s: %s has ~/%s', (platform, id, path) => {
    expect(pathOf(id, { platform })).toBe(`/home/me/${path}`);
  });

  test('on Windows APPDATA says where programs keep their data', () => {
    const fields = { platform: 'win32', variables: { APPDATA: '/data' } };
    expect(pathOf('claude-desktop', fields)).toBe('/data/Claude/claude_desktop_config.json');
  });

  test('takes the file that exists, where a host has several', () => {
    const json = '/home/me/.config/opencode/opencode.json';
    expect(pathOf('opencode', { exists: existing(json) })).toBe(json);
    expect(pathOf('opencode', { exists: existing(json, `${json}c`) })).toBe(`${json}c`);
    const inProject = (id: string, ...paths: readonly string[]) =>
      findConfigPath(hostOf(id), 'project', '/p', machine({ exists: existing(...paths) }));
    expect(inProject('github-copilot-cli', '/p/.github/mcp.json')).toBe('/p/.github/mcp.json');
    expect(inProject('kilo-code', '/p/.kilocode/kilo.json')).toBe('/p/.kilocode/kilo.json');
    expect(inProject('kilo-code')).toBe('/p/kilo.json');
    expect(inProject('windsurf')).toBeUndefined();
  });
});

describe('findInstalled()', () => {
  test.each([
    ['codex', '/home/me/.codex'],
    ['kiro-cli', '/home/me/.kiro'],
    ['kilo-code', '/home/me/.config/Code/User/globalStorage/kilocode.kilo-code'],
  ])('%s is here when %s is', (id, folder) => {
    expect(findInstalled(hostOf(id), machine({ exists: existing(folder) }))).toEqual({ isHere: true, folder });
    expect(findInstalled(hostOf(id), machine()).isHere).toBe(false);
  });

  test('a file is a sign, too', () => {
    const exists = existing('/home/me/.claude.json');
    expect(findInstalled(hostOf('claude-code'), machine({ exists }))).toEqual({
      isHere: true,
      folder: '/home/me/.claude',
    });
  });
});
