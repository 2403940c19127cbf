// Lists that go on over pages while skills come and go, prompts, completion, cache fields and subscriptions, in both eras.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EraClient, eras, serveEra } from '../support/era-client.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

/** More than a page of any list. */
const MANY = 520;
const nameOf = (index: number) => `skill-${String(index).padStart(3, '0')}`;
const uriOf = (name: string) => `skill://${name}/SKILL.md`;
const lists = [
  ['skills/list', 'skills'],
  ['resources/list', 'resources'],
  ['prompts/list', 'prompts'],
] as const;
const namesIn = (page: Record<string, unknown>, field: string): string[] =>
  (page[field] as { uri?: string; name?: string }[]).map(({ uri, name }) => uri ?? uriOf(name ?? ''));

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

describe.each(eras)('lists in the %s era', (era) => {
  let client: EraClient;
  const serve = async (count: number) => {
    for (let index = 0; index < count; index += 1) writeSkill(world.skills, nameOf(index));
    client = await serveEra(world, era, [world.skills]);
  };

  test.each(lists)('a cursor of %s stays valid while skills come, change and go (R1, R2)', async (method, field) => {
    await serve(MANY);
    const first = await client.get(method);
    const before = namesIn(first, field);
    const { nextCursor } = first;
    expect(nextCursor).toEqual(expect.any(String));
    const last = before.at(-1)?.split('/')[2] ?? '';
    rmSync(join(world.skills, last), { recursive: true });
    writeSkill(world.skills, 'aaa-new');
    writeSkill(world.skills, 'zzz-new');
    writeSkill(world.skills, nameOf(MANY - 1), { body: 'changed\n' });
    await expect.poll(() => client.codeOf('skills/get', { uri: uriOf(last) })).toBe(-32602);
    await expect.poll(() => client.codeOf('skills/get', { uri: uriOf('zzz-new') })).toBe(undefined);
    const rest = (await client.pages(method, { cursor: nextCursor })).flatMap((page) => namesIn(page, field));
    const wanted = [...Array.from({ length: MANY }, (_, index) => uriOf(nameOf(index))), uriOf('zzz-new')];
    expect([...before, ...rest]).toEqual(wanted);
  });

  test('a cursor that is none of ours is refused with -32602 by every list (R2)', async () => {
    await serve(1);
    const methods = [...lists.map(([method]) => method), 'resources/templates/list', 'resources/directory/read'];
    for (const method of methods) {
      for (const cursor of ['nonsense', '', 'e30', 'W10', 'WzEsMl0', 42, null, {}]) {
        const params = { uri: 'skill://skill-000', cursor };
        expect(await client.codeOf(method, params), `${method} ${JSON.stringify(cursor)}`).toBe(-32602);
      }
    }
  });

  test('every skill is a prompt that gives its text, and the request after it (R1)', async () => {
    await serve(3);
    const text = writeSkill(world.skills, 'team/skill-000', { description: 'Shadowed.' });
    await expect.poll(() => client.codeOf('skills/get', { uri: uriOf('team/skill-000') })).toBe(undefined);
    const { prompts } = await client.get('prompts/list');
    expect(prompts).toHaveLength(3);
    expect(prompts).toContainEqual(
      expect.objectContaining({ name: 'skill-001', description: 'Does skill-001 things.' }),
    );
    const message = async (params: Record<string, unknown>) =>
      ((await client.get('prompts/get', params)).messages as { content: { text: string } }[])[0]?.content.text;
    const { contents } = await client.get('resources/read', { uri: uriOf('skill-001') });
    const [{ text: served } = { text: '' }] = contents as { text: string }[];
    expect(await message({ name: 'skill-001' })).toBe(served);
    expect(await message({ name: 'skill-000' })).not.toBe(text);
    const asked = await message({ name: 'skill-001', arguments: { request: 'Do it now' } });
    expect(asked).toBe(`${served}\n\nDo it now`);
    for (const params of [{ name: 'no-such' }, {}, { name: 'skill-001', arguments: 5 }, { name: '__proto__' }]) {
      expect(await client.codeOf('prompts/get', params)).toBe(-32602);
    }
  });

  test('the template is offered, and its path completed, at most 100 values at a time (R1)', async () => {
    await serve(120);
    const { resourceTemplates } = await client.get('resources/templates/list');
    const [{ uriTemplate: uri } = { uriTemplate: '' }] = resourceTemplates as { uriTemplate: string }[];
    expect(uri).toBe('skill://{+path}');
    const ref = { type: 'ref/resource', uri };
    const complete = async (value: string) =>
      (await client.get('completion/complete', { ref, argument: { name: 'path', value } })).completion;
    expect(await complete('skill-11')).toMatchObject({ total: 10, hasMore: false });
    expect(await complete('SKILL-007')).toMatchObject({ values: ['skill-007/SKILL.md'] });
    const { values, ...counts } = (await complete('')) as { values: string[] };
    expect(values).toHaveLength(100);
    expect(counts).toEqual({ total: 120, hasMore: true });
    expect(await complete('nothing-like-it')).toEqual({ values: [], total: 0, hasMore: false });
    for (const params of [
      { ref },
      { ref: { type: 'ref/resource', uri: 'x' }, argument: { name: 'path', value: '' } },
    ]) {
      expect(await client.codeOf('completion/complete', params)).toBe(-32602);
    }
  });

  test('what may be cached says so in the modern era, and no other result has such fields (R2)', async () => {
    await serve(1);
    const uri = uriOf('skill-000');
    const cacheable = [
      ...lists.map(([method]) => [method, {}] as const),
      ['tools/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri }],
      ['skills/get', { uri }],
      ['resources/directory/read', { uri: 'skill://skill-000' }],
    ] as const;
    const isModern = era === 'modern';
    for (const [method, params] of cacheable) {
      const result = await client.get(method, params);
      const cache = { ttlMs: result.ttlMs, cacheScope: result.cacheScope, resultType: result.resultType };
      const wanted = isModern
        ? { ttlMs: expect.any(Number), cacheScope: 'private', resultType: 'complete' }
        : { ttlMs: undefined, cacheScope: undefined, resultType: undefined };
      expect(cache, method).toEqual(wanted);
    }
    const called = await client.get('tools/call', { name: 'list_skills', arguments: {} });
    expect(called).not.toHaveProperty('ttlMs');
  });

  test('an edit is told to who subscribed to that resource, and to nobody else (R1)', async () => {
    await serve(2);
    const other = await serveEra(world, era, [world.skills]);
    const silent = await serveEra(world, era, [world.skills]);
    const [edited, untouched] = [uriOf(nameOf(0)), uriOf(nameOf(1))];
    await client.subscribe(edited);
    await other.subscribe(untouched);
    // Watching begins in the background, shortly after the first answers: who sees another skill come has begun.
    writeSkill(world.skills, 'late');
    for (const each of [client, other, silent])
      await expect.poll(() => each.codeOf('skills/get', { uri: uriOf('late') })).toBe(undefined);
    writeSkill(world.skills, nameOf(0), { body: 'edited\n' });
    await expect.poll(() => client.updated()).toEqual([edited]);
    await expect.poll(() => textAt(silent, edited)).toContain('edited');
    await expect.poll(() => textAt(other, edited)).toContain('edited');
    expect([other.updated(), silent.updated()]).toEqual([[], []]);
    // A file more beside it leaves the SKILL.md as it was; an edit of the SKILL.md does not.
    write(join(world.skills, nameOf(1), 'notes.md'), 'a file more\n');
    await expect.poll(() => textAt(other, `skill://${nameOf(1)}/notes.md`)).toBe('a file more\n');
    expect(other.updated()).toEqual([]);
    writeSkill(world.skills, nameOf(1), { body: 'edited, too\n' });
    await expect.poll(() => other.updated()).toEqual([untouched]);
    expect(client.updated()).toEqual([edited]);
  });
});

async function textAt(client: EraClient, uri: string): Promise<string> {
  const { contents } = await client.get('resources/read', { uri });
  return (contents as { text: string }[])[0]?.text ?? '';
}
