// Every load of a document skill is recorded, behind the answer (D9).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestOf } from '../support/skill-on-disk.ts';
import { World } from '../support/world.ts';
import { skillText, write } from '../support/write-skill.ts';

let world: World;
const TEXT = skillText({ name: 'pdf', description: 'Fills in forms.' });
beforeEach(() => {
  world = new World();
  write(join(world.skills, 'pdf-folder/SKILL.md'), TEXT);
});
afterEach(() => world.close());

interface Load {
  readonly skill_name: string;
  readonly digest: string;
  readonly client: string;
  readonly surface: string;
  readonly loaded_at: string;
}

const loads = (): readonly Load[] => JSON.parse(world.run('log', '--loads', '--json').stdout).loads;

const readAll = async (client: Awaited<ReturnType<World['serve']>>) => {
  await client.request('tools/call', { name: 'skill', arguments: { name: 'PDF' } });
  await client.request('tools/call', { name: 'get_skill', arguments: { uri: 'skill://pdf-folder/SKILL.md' } });
  await client.request('tools/call', { name: 'get_skill', arguments: { skill_name: 'pdf-folder' } });
  await client.request('resources/read', { uri: 'skill://pdf-folder/SKILL.md' });
  await client.request('prompts/get', { name: 'pdf' });
  await client.request('tools/call', { name: 'read_skill_file', arguments: { skill: 'pdf', path: 'SKILL.md' } });
};

test('each way to read a skill is in the log, with who, where, when and which text (D9)', async () => {
  const client = await world.serve();
  const before = Date.now();
  await readAll(client);
  const after = Date.now();
  await client.stop();
  const recorded = loads();
  expect(recorded.map(({ surface }) => surface).sort()).toEqual([
    'get_skill',
    'get_skill',
    'prompt',
    'read_skill_file',
    'resources/read',
    'skill',
  ]);
  for (const load of recorded) {
    expect(load).toMatchObject({ skill_name: 'pdf', digest: digestOf(Buffer.from(TEXT)), client: expect.any(String) });
    expect(Date.parse(load.loaded_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(load.loaded_at)).toBeLessThanOrEqual(after);
  }
});

/** In the data directory, without what is remembered for the next start: a slow host meets that, a quick one does not. */
function keptFiles(): readonly string[] {
  const directory = join(world.home, '.repertoire');
  return existsSync(directory) ? readdirSync(directory).filter((name) => name !== 'remembered') : [];
}

test('listing and searching are no loads, and open no store (D9)', async () => {
  const client = await world.serve();
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'skills/list'])
    await client.request(method, {});
  await client.request('tools/call', { name: 'list_skills', arguments: {} });
  await client.request('tools/call', { name: 'search_skills', arguments: { query: 'forms' } });
  await client.stop();
  expect(keptFiles()).toEqual([]);
});

test('--no-log records nothing (D9)', async () => {
  const client = await world.serve({ args: ['--no-log'] });
  await readAll(client);
  await client.stop();
  expect(keptFiles()).toEqual([]);
});

test('a data directory that cannot be made costs the record, not the answer (D9, F1)', async () => {
  write(join(world.home, '.repertoire'), 'a file is in the way');
  const client = await world.serve();
  const { result } = await client.request('tools/call', { name: 'skill', arguments: { name: 'pdf' } });
  expect(JSON.stringify(result)).toContain('Fills in forms.');
  await client.stop();
});
