// Whom the log names for a document that was read (D9).
import { describe, expect, test } from 'vitest';
import { openTestCatalog } from '../../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { digestOf } from '../../../document/manifest.ts';
import { agentCaller, LOCAL_OPERATOR, userCaller } from '../../../identity/caller.ts';
import type { FileNote, LoadNote } from '../../../repertoire/load-log.ts';
import { createRepertoire } from '../../../repertoire/repertoire.ts';
import { contextOf } from '../fixtures/tool-world.ts';
import { createMethodTable } from '../table.ts';
import { readerName } from './reader-name.ts';

const client = (name: string) => ({ name, version: '1', capabilities: {} });

test.each([
  [agentCaller('billing'), 'billing'],
  [userCaller('550e8400-e29b-41d4-a716-446655440000'), '550e8400-e29b-41d4-a716-446655440000'],
  [LOCAL_OPERATOR, 'claude-code'],
  [undefined, 'claude-code'],
])('%j is called %s, whatever the client says (D9)', (caller, name) => {
  expect(readerName({ caller, client: client('claude-code') })).toBe(name);
});

describe("a client's own name", () => {
  test.each([
    ['Claude Code', 'Claude Code'],
    ['a\u001b[31m\nb\u202e\u200bc', 'a bc'],
    ['', 'unknown'],
    ['\u200b', 'unknown'],
    ['x'.repeat(5_000), `${'x'.repeat(127)}…`],
    [`mine rpo_${'a'.repeat(43)}`, 'mine [redacted]'],
    [`mine rpa_${'a'.repeat(43)} 2`, 'mine [redacted] 2'],
    [`mine rps_${'a'.repeat(43)} 2`, 'mine [redacted] 2'],
    ['Bearer abcd1234', '[redacted]'],
    [`eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.c`, '[redacted]'],
    ['sk-proj-0123456789abcdef', '[redacted]'],
    ['risk-assessment-agent', 'risk-assessment-agent'],
  ])('%j is written as %j (D9)', (given, written) => {
    expect(readerName({ caller: LOCAL_OPERATOR, client: client(given) })).toBe(written);
  });
});

const URI = 'skill://a/SKILL.md';

test.each([
  ['skill', 'tools/call', { name: 'skill', arguments: { name: 'a' } }],
  ['get_skill', 'tools/call', { name: 'get_skill', arguments: { uri: URI } }],
  ['get_skill', 'tools/call', { name: 'get_skill', arguments: { skill_name: 'a' } }],
  ['resources/read', 'resources/read', { uri: URI }],
  ['prompt', 'prompts/get', { name: 'a' }],
])('%s records who proved to call, not what the client says (D9)', async (surface, method, params) => {
  const world = createSkillWorld();
  world.skill('root/a');
  const notes: LoadNote[] = [];
  const noteLoad = (note: LoadNote) => void notes.push(note);
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]), { noteLoad });
  const table = createMethodTable({ repertoire, version: '1.2.3' });
  await table.methods.get(method)?.(params, { ...contextOf(), caller: agentCaller('billing') });
  expect(notes).toMatchObject([{ skillName: 'a', client: 'billing', surface }]);
});

test.each([
  [
    'read_skill_file',
    'tools/call',
    { name: 'read_skill_file', arguments: { uri: URI.replace('SKILL.md', 'notes.md') } },
  ],
  ['resources/read', 'resources/read', { uri: URI.replace('SKILL.md', 'notes.md') }],
])('%s of another file is told to noteFile, not to noteLoad (D9, U7)', async (surface, method, params) => {
  const world = createSkillWorld();
  world.skill('root/a');
  world.write('root/a/notes.md', '# Notes');
  const loads: LoadNote[] = [];
  const files: FileNote[] = [];
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]), {
    noteLoad: (note) => void loads.push(note),
    noteFile: (note) => void files.push(note),
  });
  const table = createMethodTable({ repertoire, version: '1.2.3' });
  await table.methods.get(method)?.(params, { ...contextOf(), caller: agentCaller('billing') });
  expect(loads).toEqual([]);
  const digest = digestOf(Buffer.from('# Notes'));
  expect(files).toMatchObject([{ skillName: 'a', path: 'notes.md', digest, client: 'billing', surface }]);
});
