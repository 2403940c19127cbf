// The support server's resources before and after skills were added, and the skill as a resource (T10, R1).

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/values/json-object.ts';
import { APP_URI, resources, SKILL_URI, SKILLS_FOLDER } from '../../support-surface.ts';
import { GENERATIONS } from '../open-support.ts';

const OWN_URIS = Object.values(resources).map(({ uri }) => uri);
const FOLDER = 'skill://engage-red-hat-support';

describe.each(GENERATIONS)('the resources of the support server on $label', ({ open }) => {
  test('the list is its own, unchanged, with the skill in it once (T10, R1)', async () => {
    const before = await (await open(false)).result('resources/list');
    const after = await (await open(true)).result('resources/list');
    const listed = after.resources as readonly JsonObject[];
    expect(listed.map(({ uri }) => uri)).toEqual(OWN_URIS);
    expect(JSON.stringify(listed)).toBe(JSON.stringify(before.resources));
    expect(listed.at(-1)).toMatchObject({ name: 'engage-red-hat-support', mimeType: 'text/markdown', uri: SKILL_URI });
  });

  test('its own resources are read as before, unknown ones are refused as before (T10)', async () => {
    const bare = await open(false);
    const client = await open(true);
    for (const uri of [...OWN_URIS, 'support://unknown', 'ui://unknown', 'nonsense']) {
      const before = await bare.ask('resources/read', { uri });
      expect(JSON.stringify(await client.ask('resources/read', { uri }))).toBe(JSON.stringify(before));
    }
  });

  test('the UI of the skill tools is an MCP App that needs no network (T8)', async () => {
    const { contents } = await (await open(true)).result('resources/read', { uri: APP_URI });
    expect(contents).toMatchObject([{ uri: APP_URI, mimeType: 'text/html;profile=mcp-app' }]);
    expect(JSON.stringify(contents)).not.toMatch(/https?:\/\/|fetch\(|import\(/);
  });

  test('the extension describes the skill, and every file that it names can be read (R2)', async () => {
    const client = await open(true);
    const { skills } = await client.result('skills/list');
    const [entry] = skills as readonly { uri: string; frontmatter: JsonObject; resources: { uri: string }[] }[];
    expect(entry).toMatchObject({ uri: SKILL_URI, frontmatter: { name: 'engage-red-hat-support' } });
    for (const { uri } of entry?.resources ?? []) {
      const onDisk = readFileSync(`${SKILLS_FOLDER}/engage-red-hat-support${uri.slice(FOLDER.length)}`, 'utf8');
      const { contents } = await client.result('resources/read', { uri });
      expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: onDisk }]);
    }
    expect((await client.result('skills/get', { uri: SKILL_URI })).skill).toEqual(entry);
    const { resources: children } = await client.result('resources/directory/read', { uri: FOLDER });
    expect((children as JsonObject[]).map(({ uri }) => uri)).toEqual([SKILL_URI, `${FOLDER}/references`]);
  });
});
