// The table of agents holds what its readers rely on, and names are found in it exactly or not at all.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AGENTS, findAgentByClient, findUnknownAgents, selectAgents } from './agents.ts';

const ids = (names: readonly string[]) => selectAgents(names).map(({ id }) => id);

describe('AGENTS', () => {
  test('has one entry for each id, and one agent for each client name (D10)', () => {
    for (const all of [AGENTS.map(({ id }) => id), AGENTS.flatMap(({ clientNames }) => clientNames)])
      expect(new Set(all).size).toBe(all.length);
    expect(ids(['all'])).not.toContain('all');
  });

  test.each(AGENTS)('$id: is written as people type it, with names in lower case', ({ id, title, clientNames }) => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(title.trim()).not.toBe('');
    for (const name of clientNames) expect(name).toBe(name.trim().toLowerCase());
  });

  test.each(AGENTS)('$id: names each folder once, in the project, in the home or by a variable', ({ folders }) => {
    expect(folders.length).toBeGreaterThan(0);
    expect(new Set(folders).size).toBe(folders.length);
    for (const folder of folders) expect(folder).toMatch(/^(\.|~|\$[A-Z_]+)(\/[a-z.-]+)*\/skills$/);
  });

  test.each(AGENTS)('$id: has variables that move a folder which it has', ({ folders, moved = [] }) => {
    for (const { variable, from } of moved) {
      expect(variable).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
      expect(folders.some((folder) => folder === from || folder.startsWith(`${from}/`))).toBe(true);
    }
  });
});

describe('findAgentByClient()', () => {
  test('finds an agent by the whole name that it gives itself, in any letter case (D10)', () => {
    expect(findAgentByClient('claude-code')?.id).toBe('claude-code');
    expect(findAgentByClient('Visual Studio Code')?.id).toBe('vscode');
    expect(findAgentByClient('Zed')?.id).toBe('zed');
  });

  test.each(['claude', 'claude-code-2', 'my claude-code', 'claude-ai', '', 'all'])('takes %j for nobody', (name) => {
    expect(findAgentByClient(name)).toBeUndefined();
  });
});

describe('selectAgents()', () => {
  test('gives them in the order of the table, each once, whatever the order of the names', () => {
    expect(ids(['cursor', 'codex', ' Cursor '])).toEqual(['codex', 'cursor']);
    expect(ids([])).toEqual([]);
  });

  test('all stands for every one', () => {
    expect(selectAgents(['all'])).toBe(AGENTS);
    expect(selectAgents(['cursor', 'ALL'])).toBe(AGENTS);
  });

  test('does not guess', () => {
    expect(ids(['curser', 'code', ''])).toEqual([]);
  });
});

describe('findUnknownAgents()', () => {
  test('names what is neither an agent nor all, as it was given', () => {
    expect(findUnknownAgents(['codex', 'Curser', ' Cursor', 'all', ''])).toEqual(['Curser', '']);
    expect(findUnknownAgents(AGENTS.map(({ id }) => id))).toEqual([]);
  });
});

describe('docs/hosts.md', () => {
  const rows = readFileSync('docs/hosts.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const rowsOf = (start: string) => rows.filter((row) => row.startsWith(`| ${start} |`));
  const codesOf = (cell: string | undefined) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);

  test.each(AGENTS)('says where $id reads skills, what moves that, and where it was looked up', (agent) => {
    const [row, ...others] = rowsOf(`\`${agent.id}\``);
    const [, , title, ofProject, ofUser, moved, source] = row?.split(' | ').join('|').split('|') ?? [];
    expect(others).toEqual([]);
    expect(title?.trim()).toBe(agent.title);
    expect([...codesOf(ofProject), ...codesOf(ofUser)]).toEqual(agent.folders);
    const wanted = (agent.moved ?? []).flatMap(({ variable, from, below }) => [
      variable,
      from,
      ...(below === undefined ? [] : [`/${below}`]),
    ]);
    expect(codesOf(moved)).toEqual(wanted);
    expect(source).toContain('](https://');
  });

  test.each(AGENTS)('says by which names $id is known over MCP', ({ title, clientNames }) => {
    const [row, ...others] = rowsOf(title);
    const names = row?.split('|').at(-3);
    expect(others).toEqual([]);
    expect(codesOf(names)).toEqual(clientNames);
    if (clientNames.length === 0) expect(names?.trim()).toMatch(/^not known$/);
  });
});
