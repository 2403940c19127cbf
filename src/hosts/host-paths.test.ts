// Where a host's folders are: in the home directory, or where its variables say.
import { describe, expect, test } from 'vitest';
import type { Host } from './host.ts';
import { findVariableFolder, resolveSkillFolders } from './host-paths.ts';
import { SKILL_READERS, selectHosts } from './select-hosts.ts';

const hostOf = (id: string): Host => {
  const [host] = selectHosts([id]);
  if (host === undefined) throw new Error(`no host ${id}`);
  return host;
};

/** Of the user: `label = path`. */
const userFolders = (id: string, variables: Record<string, string> = {}): string[] =>
  resolveSkillFolders(hostOf(id), { home: '/home/me', variables }).flatMap(({ label, path }) =>
    path === undefined ? [] : [`${label} = ${path}`],
  );

describe('resolveSkillFolders() without variables', () => {
  test('leaves the folders of the project to the caller that knows its directories', () => {
    expect(resolveSkillFolders(hostOf('claude-code'), { home: '/home/me', variables: {} })).toEqual([
      { label: './.claude/skills', path: undefined },
      { label: '~/.claude/skills', path: '/home/me/.claude/skills' },
    ]);
  });

  test('leaves out a folder that is named by a variable only', () => {
    expect(userFolders('opencode').some((folder) => folder.startsWith('$'))).toBe(false);
  });

  test.each(SKILL_READERS)('$id: every folder of the user lies in the home directory', ({ id }) => {
    for (const folder of userFolders(id)) expect(folder).toMatch(/^~(\/.+) = \/home\/me\1$/);
  });
});

describe('resolveSkillFolders() with a variable', () => {
  test.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '$CLAUDE_CONFIG_DIR/skills = /other/skills'],
    ['codex', 'CODEX_HOME', '$CODEX_HOME/skills = /other/skills'],
    ['github-copilot-cli', 'COPILOT_HOME', '$COPILOT_HOME/skills = /other/skills'],
    ['gemini-cli', 'GEMINI_CLI_HOME', '$GEMINI_CLI_HOME/.gemini/skills = /other/.gemini/skills'],
    ['gemini-cli', 'GEMINI_CLI_HOME', '$GEMINI_CLI_HOME/.agents/skills = /other/.agents/skills'],
    ['opencode', 'XDG_CONFIG_HOME', '$XDG_CONFIG_HOME/opencode/skills = /other/opencode/skills'],
    ['opencode', 'OPENCODE_CONFIG_DIR', '$OPENCODE_CONFIG_DIR/skills = /other/skills'],
    ['goose', 'GOOSE_PATH_ROOT', '$GOOSE_PATH_ROOT/config/skills = /other/config/skills'],
    ['goose', 'XDG_CONFIG_HOME', '$XDG_CONFIG_HOME/goose/skills = /other/goose/skills'],
    ['cline', 'CLINE_DIR', '$CLINE_DIR/skills = /other/skills'],
    ['kilo-code', 'XDG_CONFIG_HOME', '$XDG_CONFIG_HOME/kilo/skills = /other/kilo/skills'],
    ['kilo-code', 'KILO_CONFIG_DIR', '$KILO_CONFIG_DIR/skills = /other/skills'],
    ['amp', 'XDG_CONFIG_HOME', '$XDG_CONFIG_HOME/agents/skills = /other/agents/skills'],
    ['continue', 'CONTINUE_GLOBAL_DIR', '$CONTINUE_GLOBAL_DIR/skills = /other/skills'],
    ['crush', 'XDG_CONFIG_HOME', '$XDG_CONFIG_HOME/crush/skills = /other/crush/skills'],
    ['crush', 'CRUSH_SKILLS_DIR', '$CRUSH_SKILLS_DIR = /other'],
    ['grok-build', 'GROK_HOME', '$GROK_HOME/skills = /other/skills'],
    ['kimi-code', 'KIMI_CODE_HOME', '$KIMI_CODE_HOME/skills = /other/skills'],
    ['mistral-vibe', 'VIBE_HOME', '$VIBE_HOME/skills = /other/skills'],
    ['pi', 'PI_CODING_AGENT_DIR', '$PI_CODING_AGENT_DIR/skills = /other/skills'],
    ['qwen-code', 'QWEN_HOME', '$QWEN_HOME/skills = /other/skills'],
  ])('%s: %s gives %s', (id, variable, expected) => {
    expect(userFolders(id, { [variable]: '/other' })).toContain(expected);
  });

  test('moves what lies in that folder and nothing else', () => {
    expect(userFolders('codex', { CODEX_HOME: '/other/' })).toEqual([
      '~/.agents/skills = /home/me/.agents/skills',
      '$CODEX_HOME/skills = /other/skills',
    ]);
    expect(userFolders('goose', { XDG_CONFIG_HOME: '/other' })).toContain(
      '~/.config/agents/skills = /home/me/.config/agents/skills',
    );
  });

  test('does not take a folder whose name merely begins like it for one in it', () => {
    const host = { ...hostOf('kilo-code'), moved: [{ variable: 'KILO', from: '~/.kilo' }] };
    const labels = resolveSkillFolders(host, { home: '/home/me', variables: { KILO: '/other' } }).map(
      ({ label }) => label,
    );
    expect(labels).toContain('$KILO/skills');
    expect(labels).toContain('~/.kilocode/skills');
  });

  test('of two that fit, its own counts', () => {
    const folders = userFolders('goose', { XDG_CONFIG_HOME: '/xdg', GOOSE_PATH_ROOT: '/goose' });
    expect(folders).toContain('$GOOSE_PATH_ROOT/config/skills = /goose/config/skills');
    expect(folders.some((folder) => folder.includes('/xdg'))).toBe(false);
  });

  test.each([
    ['github-copilot-cli', 'COPILOT_HOME', ['$COPILOT_HOME/skills = /other/skills']],
    ['crush', 'CRUSH_SKILLS_DIR', ['$CRUSH_SKILLS_DIR = /other']],
  ])('%s reads no other folder of the user when %s is set, those of the project still', (id, variable, expected) => {
    const variables = { [variable]: '/other', XDG_CONFIG_HOME: '/xdg' };
    expect(userFolders(id, variables)).toEqual(expected);
    const labels = resolveSkillFolders(hostOf(id), { home: '/home/me', variables }).map(({ label }) => label);
    expect(labels).toContain('./.agents/skills');
  });

  test('knows what ~/ means where no shell has said it', () => {
    expect(userFolders('codex', { CODEX_HOME: '~/c' })).toContain('$CODEX_HOME/skills = /home/me/c/skills');
  });

  test.each(['', '  ', 'relative/codex', './codex', '~other'])('takes %j for not set', (value) => {
    expect(userFolders('codex', { CODEX_HOME: value })).toEqual(userFolders('codex'));
  });
});

test.each([
  ['/abs/x/', '/abs/x'],
  [' /abs ', '/abs'],
  ['~/x', '/home/me/x'],
  ['~', '/home/me'],
  ['x/y', undefined],
  ['./x', undefined],
  ['~other/x', undefined],
  ['  ', undefined],
  ['', undefined],
  [undefined, undefined],
])('findVariableFolder() takes %j for %j (D1)', (value, folder) => {
  expect(findVariableFolder('V', { home: '/home/me', variables: { V: value } })).toBe(folder);
});
