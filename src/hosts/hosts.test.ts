// The table of hosts holds what its readers rely on, and names are found in it exactly or not at all.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HOSTS } from './hosts.ts';
import { findHostByClient, findUnknownHosts, SKILL_READERS, selectHosts } from './select-hosts.ts';

const ids = (names: readonly string[]) => selectHosts(names).map(({ id }) => id);

describe('HOSTS', () => {
  test('has one entry for each id, and one host for each client name (D10)', () => {
    for (const all of [HOSTS.map(({ id }) => id), HOSTS.flatMap(({ clientNames = [] }) => clientNames)])
      expect(new Set(all).size).toBe(all.length);
    expect(ids(['all'])).not.toContain('all');
  });

  test('no beginning of a client name is that of another host, too (D10)', () => {
    const names = HOSTS.flatMap(({ id, clientNames = [] }) => clientNames.map((name) => ({ id, name })));
    for (const { id, name } of names.filter((each) => each.name.endsWith('*'))) {
      const alike = names.filter((other) => other.name.startsWith(name.slice(0, -1)));
      expect(new Set(alike.map((other) => other.id))).toEqual(new Set([id]));
    }
  });

  test.each(HOSTS)('$id: is written as people type it, with names in lower case', ({ id, title, clientNames = [] }) => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(title.trim()).not.toBe('');
    for (const name of clientNames) expect(name).toBe(name.trim().toLowerCase());
  });

  test.each(SKILL_READERS)(
    '$id: names each folder once, in the project, in the home or by a variable',
    ({ folders = [] }) => {
      expect(folders.length).toBeGreaterThan(0);
      expect(new Set(folders).size).toBe(folders.length);
      for (const folder of folders) expect(folder).toMatch(/^(\.|~|\$[A-Z_]+)(\/[a-z.-]+)*\/skills$/);
    },
  );

  test.each(SKILL_READERS)('$id: has variables that move a folder which it has', ({ folders = [], moved = [] }) => {
    for (const { variable, from } of moved) {
      expect(variable).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
      expect(folders.some((folder) => folder === from || folder.startsWith(`${from}/`))).toBe(true);
    }
  });
});

describe('findHostByClient()', () => {
  test('finds a host by the whole name that it gives itself, in any letter case (D10)', () => {
    expect(findHostByClient('claude-code')?.id).toBe('claude-code');
    expect(findHostByClient('Visual Studio Code')?.id).toBe('vscode');
    expect(findHostByClient('Zed')?.id).toBe('zed');
    expect(findHostByClient('copilot-cli')?.id).toBe('github-copilot-cli');
  });

  test('finds those that put the name of the server into their own (U2)', () => {
    for (const name of ['pi-mcp-repertoire', 'pi-mcp-my skills', 'PI-MCP-x'])
      expect(findHostByClient(name)?.id).toBe('pi');
    expect(findHostByClient('qwen-cli-mcp-client-team-skills')?.id).toBe('qwen-code');
    for (const name of ['pi-mcp-', 'pi-mcp', 'my pi-mcp-x', 'pi-mcp-*']) {
      expect(findHostByClient(name)?.id).toBe(name === 'pi-mcp-*' ? 'pi' : undefined);
    }
  });

  test.each(['claude', 'claude-code-2', 'my claude-code', 'claude-ai', '', 'all'])(
    'takes %j for none of them',
    (name) => {
      expect(findHostByClient(name)).toBeUndefined();
    },
  );
});

describe('selectHosts()', () => {
  test('gives them in the order of the table, each once, whatever the order of the names', () => {
    expect(ids(['cursor', 'codex', ' Cursor '])).toEqual(['codex', 'cursor']);
    expect(ids([])).toEqual([]);
  });

  test('all stands for every one', () => {
    expect(selectHosts(['all'])).toBe(SKILL_READERS);
    expect(selectHosts(['cursor', 'ALL'])).toBe(SKILL_READERS);
  });

  test('does not guess', () => {
    expect(ids(['curser', 'code', ''])).toEqual([]);
  });
});

describe('findUnknownHosts()', () => {
  test('names what is neither a host nor all, as it was given', () => {
    expect(findUnknownHosts(['codex', 'Curser', ' Cursor', 'all', ''])).toEqual(['Curser', '']);
    expect(findUnknownHosts(SKILL_READERS.map(({ id }) => id))).toEqual([]);
  });
});

describe('docs/hosts.md', () => {
  // What was run has tables of its own, made by `npm run hosts`.
  const [tables = ''] = readFileSync('docs/hosts.md', 'utf8').split('\n## What was run\n');
  const rows = tables.split('\n').filter((line) => line.startsWith('| '));
  const rowsOf = (start: string) => rows.filter((row) => row.startsWith(`| ${start} |`));
  const codesOf = (cell: string | undefined) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);

  test.each(SKILL_READERS)('says where $id reads skills, what moves that, and where it was looked up', (host) => {
    const [row, ...others] = rowsOf(`\`${host.id}\``);
    const [, , title, ofProject, ofUser, moved, source] = row?.split(' | ').join('|').split('|') ?? [];
    expect(others).toEqual([]);
    expect(title?.trim()).toBe(host.title);
    expect([...codesOf(ofProject), ...codesOf(ofUser)]).toEqual(host.folders);
    const wanted = (host.moved ?? []).flatMap(({ variable, from, suffix }) => [
      variable,
      from,
      ...(suffix === undefined ? [] : [`/${suffix}`]),
    ]);
    expect(codesOf(moved)).toEqual(wanted);
    expect(source).toContain('](https://');
  });

  test.each(SKILL_READERS)('says by which names $id is known over MCP', ({ title, clientNames = [] }) => {
    const [row, ...others] = rowsOf(title);
    const names = row?.split('|').at(-3);
    expect(others).toEqual([]);
    expect(codesOf(names)).toEqual(clientNames);
    if (clientNames.length === 0) expect(names?.trim()).toMatch(/^not known$/);
  });

  test.each(SKILL_READERS.filter(({ seen }) => seen !== undefined))(
    'says in which version $id was seen (U2)',
    (host) => {
      const [row] = rowsOf(host.title);
      expect(row?.split('|').at(-3)).toContain(`seen in ${host.seen}`);
    },
  );
});
