// What hosts wait for, by the answers that they keep: as Claude Code 2.1.197, Codex 0.166.0, GitHub Copilot CLI 1.0.102 and
// Gemini CLI 0.61.0 write them.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { write } from '../../../tests/support/write-skill.ts';
import { machineWith } from '../connect/config-file.ts';
import { CONNECTABLE_HOSTS, type ConfigScope } from '../connect/host-files.ts';
import { findNeeds } from './find-needs.ts';

const path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-needs-')));
const [home, project] = [join(path, 'home'), join(path, 'work/project')];
beforeEach(() => rmSync(path, { recursive: true, force: true }));
afterAll(() => rmSync(path, { recursive: true, force: true }));

function needs(id: string, scope: ConfigScope = 'project'): string {
  const host = CONNECTABLE_HOSTS.find((each) => each.id === id);
  if (host === undefined) throw new Error(`There is no host ${id}`);
  return findNeeds(host, scope, project, machineWith({ home, variables: {} })).join('\n');
}
const keep = (file: string, value: unknown) => write(join(home, file), JSON.stringify(value));

describe('findNeeds', () => {
  test('asks for nothing where nothing is known of, or the file of the user needs no answer (U4)', () => {
    expect(needs('cursor')).toBe('');
    for (const id of ['claude-code', 'codex', 'github-copilot-cli']) {
      expect(needs(id)).not.toBe('');
      expect(needs(id, 'user')).toBe('');
    }
    expect(needs('gemini-cli', 'user')).toContain('does not trust');
  });

  test('Claude Code: until the server is approved, wherever that is kept (U4)', () => {
    expect(needs('claude-code')).toContain('approve "repertoire"');
    keep('.claude.json', { projects: { [project]: { enabledMcpjsonServers: ['repertoire'] } } });
    expect(needs('claude-code')).toBe('');
    keep('.claude.json', {});
    write(join(project, '.claude/settings.local.json'), '{"enabledMcpjsonServers":["repertoire"]}');
    expect(needs('claude-code')).toBe('');
    write(join(project, '.claude/settings.local.json'), '{"disabledMcpjsonServers":["repertoire"]}');
    keep('.claude/settings.json', { enableAllProjectMcpServers: true });
    expect(needs('claude-code')).toContain('told not to use');
    write(join(project, '.claude/settings.local.json'), '{}');
    expect(needs('claude-code')).toBe('');
  });

  test('Codex: until the folder or the nearest one above it is trusted (U4)', () => {
    expect(needs('codex')).toContain('trust it');
    const trust = (folder: string, level: string) => `[projects."${folder}"]\ntrust_level = "${level}"\n`;
    write(join(home, '.codex/config.toml'), trust(join(path, 'work'), 'trusted'));
    expect(needs('codex')).toBe('');
    write(join(home, '.codex/config.toml'), trust(join(path, 'work'), 'trusted') + trust(project, 'untrusted'));
    expect(needs('codex')).toContain('told not to trust');
  });

  test.each(['trusted_folders', 'trustedFolders'])('Copilot CLI: until a folder above it is among %s (U4)', (key) => {
    keep('.copilot/config.json', { [key]: [join(path, 'workshop'), join(project, 'sub')] });
    expect(needs('github-copilot-cli')).toContain('trust it');
    keep('.copilot/config.json', { [key]: [join(path, 'work')] });
    expect(needs('github-copilot-cli')).toBe('');
  });

  test('Gemini CLI: by the longest path that fits, unless folders need no trust (U4)', () => {
    const rules = (all: Record<string, string>) => keep('.gemini/trustedFolders.json', all);
    rules({ [join(path, 'work')]: 'TRUST_FOLDER' });
    expect(needs('gemini-cli')).toBe('');
    rules({ [join(path, 'work')]: 'TRUST_FOLDER', [project]: 'DO_NOT_TRUST' });
    expect(needs('gemini-cli')).toContain('told not to trust');
    rules({ [join(path, 'work/other')]: 'TRUST_PARENT' });
    expect(needs('gemini-cli', 'user')).toBe('');
    rules({ [join(path, 'work/other')]: 'TRUST_FOLDER' });
    expect(needs('gemini-cli', 'user')).toContain('trust it');
    keep('.gemini/settings.json', { security: { folderTrust: { enabled: false } } });
    expect(needs('gemini-cli')).toBe('');
  });

  test('takes a file that cannot be read for no answer (U4)', () => {
    write(join(home, '.codex/config.toml'), 'a = = 1');
    keep('.copilot/config.json', []);
    write(join(home, '.gemini/trustedFolders.json'), '{ "x": ');
    for (const id of ['codex', 'github-copilot-cli', 'gemini-cli']) expect(needs(id)).not.toBe('');
  });
});
