// prompts/list and prompts/get (R1).
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../values/json-object.ts';
import { folderWith, openStillTable } from '../fixtures/still-table.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => folderWith(`s${String(index).padStart(4, '0')}`));
const namesOf = ({ prompts }: JsonObject) => (prompts as readonly JsonObject[]).map(({ name }) => name);

describe('prompts/list', () => {
  test('offers every skill in name order, whatever is shown first elsewhere (R1)', async () => {
    const folders = ['b', 'c', 'a'].map((name) => folderWith(name));
    const { ask } = openStillTable(folders, { pinned: ['c'] });
    expect(namesOf(await ask('prompts/list'))).toEqual(['a', 'b', 'c']);
  });

  test('pages through what this client is offered, each once (D10)', async () => {
    const folders = numbered(1_203);
    const native = new Set(
      folders.slice(0, 1_203).flatMap(({ skill }, index) => (skill && index % 2 === 0 ? skill : [])),
    );
    const findNative = (_snapshot: unknown, client: string) => (client === 'host' ? native : new Set<never>());
    const { ask } = openStillTable(folders, { findNative });
    const seen: unknown[] = [];
    for (let cursor: unknown; ; ) {
      const page = await ask('prompts/list', cursor === undefined ? {} : { cursor }, 'host');
      seen.push(...namesOf(page));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(folders.filter((_, index) => index % 2 === 1).map(({ name }) => name));
  });

  test('refuses a cursor that is none of ours', async () => {
    const { ask } = openStillTable(numbered(1));
    for (const cursor of [5, 'nonsense']) await expect(ask('prompts/list', { cursor })).rejects.toThrow('refused');
  });
});

describe('prompts/get', () => {
  test('answers the text of the skill, with the request behind it (R1)', async () => {
    const { ask } = openStillTable(numbered(1));
    const { messages } = await ask('prompts/get', { name: 'S0000', arguments: { request: 'Do it' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'text of s0000 in /home/skills\n\nDo it' } },
    ]);
  });

  test.each([
    {},
    { name: 1 },
    { name: 'nope' },
    { name: 's0000', arguments: [] },
    { name: 's0000', arguments: { request: 1 } },
  ])('refuses %j', async (params) => {
    await expect(openStillTable(numbered(1)).ask('prompts/get', params)).rejects.toThrow('refused');
  });
});
