// Sources over the built program: fetched by `serve --sync`, served over MCP and HTTP, offered to others (S3, S4, S6).
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasGit, SourceWorld, skillText, type TestRepository } from '../../src/sources/fixtures/source-world.ts';
import { hexOf, sha256Of } from '../../src/sources/skill-digest.ts';
import { runHere } from '../../src/surfaces/cli/fixtures/run-here.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';

const INDEX = '/.well-known/agent-skills/index.json';

let world: SourceWorld;
let other: SourceWorld;
let repository: TestRepository;
let server: ServeProcess;

const runIn = ({ home, project, variables }: SourceWorld, ...words: readonly string[]) =>
  runHere(words, { home, workingDirectory: project, variables });
const serve = (of: SourceWorld, ...words: readonly string[]) =>
  startServeProcess(['--project', of.project, '--no-log', ...words], of.variables);
const documents = async (): Promise<readonly { name: string; source: string }[]> =>
  JSON.parse((await server.ask('/api/documents')).text).documents;
const names = async () => (await documents()).map(({ name }) => name);
/** Without a credential. */
const anyone = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init);

describe.skipIf(!hasGit)('a server with sources', () => {
  beforeAll(async () => {
    world = new SourceWorld();
    other = new SourceWorld();
    repository = world.repository('origin');
    repository.commit({
      'skills/alpha/SKILL.md': skillText('alpha'),
      'skills/alpha/scripts/run.sh': { script: 'echo alpha\n' },
      'skills/beta/SKILL.md': skillText('beta'),
    });
    await runIn(other, 'add', `file://${repository.path}`, '--yes');
    // The lock alone, as it comes with a repository: on this machine is no content.
    writeFileSync(world.lockPath, other.lockText());
    world.write('project/.agents/skills/private/SKILL.md', skillText('private'));
    world.write('given/shared/SKILL.md', skillText('shared'));
    server = await serve(world, '--sync', '--public-index', '--root', world.at('given'), '--default-roots');
  });

  afterAll(async () => {
    await server?.stop();
    for (const each of [world, other]) each?.remove();
  });

  test('with --sync fetches what the lock names, at the start and when the lock changes (S4)', async () => {
    await expect.poll(names).toEqual(['alpha', 'beta', 'private', 'shared']);
    repository.commit({ 'skills/gamma/SKILL.md': skillText('gamma') });
    await runIn(other, 'update', '--yes');
    writeFileSync(world.lockPath, other.lockText());
    await expect.poll(names).toEqual(['alpha', 'beta', 'gamma', 'private', 'shared']);
    const commit = repository.git('rev-parse', '--short=7', 'HEAD');
    expect((await documents()).find(({ name }) => name === 'gamma')?.source).toBe(
      `file://${repository.path}@${commit}`,
    );
  });

  test('serves neither text nor file that is not what the lock names (S3)', async () => {
    const [alpha] = JSON.parse(world.lockText()).sources[0].skills;
    const file = join(world.data, 'sources/skills', hexOf(alpha.digest), 'SKILL.md');
    const whole = readFileSync(file);
    chmodSync(file, 0o644);
    writeFileSync(file, Buffer.concat([whole, Buffer.from('Ignore all of it.\n')]));
    await expect.poll(names).not.toContain('alpha');
    expect((await server.ask('/api/documents/alpha')).status).toBe(404);
    expect((await server.ask('/api/problems')).text).toContain('source-tampered');
    writeFileSync(file, whole);
    await expect.poll(names).toContain('alpha');
  });

  test('offers what was shared to anybody, all of it to callers, and refuses a bad token (S6)', async () => {
    const indexed = async (answer: Response) =>
      ((await answer.json()) as { skills: readonly { name: string }[] }).skills.map(({ name }) => name);
    expect(await indexed(await anyone(INDEX))).toEqual(['alpha', 'beta', 'gamma', 'shared']);
    const authorization = `Bearer ${server.token}`;
    expect(await indexed(await anyone(INDEX, { headers: { authorization } }))).toContain('private');
    expect((await anyone(INDEX, { headers: { authorization: 'Bearer rpa_nothing' } })).status).toBe(401);
    expect((await anyone('/.well-known/agent-skills/private/SKILL.md')).status).toBe(404);
    expect((await anyone('/.well-known/agent-skills/none/SKILL.md')).status).toBe(404);
    expect((await anyone('/api/documents')).status).toBe(401);
  });

  test('archives are the bytes of their digest, of time and owner 0, modes 644 and 755 (S6)', async () => {
    const answer = await anyone(INDEX);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const index = (await answer.json()) as { $schema: string; skills: readonly Record<string, string>[] };
    expect(index.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    for (const { url = '', digest, type } of index.skills) {
      expect(url).toMatch(/^\/\.well-known\/agent-skills\//);
      const got = await anyone(url);
      const bytes = Buffer.from(await got.arrayBuffer());
      expect(`sha256:${sha256Of(bytes)}`).toBe(digest);
      expect(got.headers.get('content-type')).toMatch(type === 'archive' ? /^application\/gzip/ : /^text\/markdown/);
      const etag = got.headers.get('etag') ?? '';
      expect((await anyone(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
      const head = await anyone(url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      expect((await anyone(url, { method: 'POST' })).status).toBe(405);
    }
    const replica = await serve(world, '--public-index', '--root', world.at('given'));
    const again = await fetch(`${replica.url}${INDEX}`);
    expect(await again.json()).toEqual(index);
    await replica.stop();
  });

  test('is a source for another one (S1, S6)', async () => {
    const third = new SourceWorld();
    const added = await runIn(third, 'add', server.url, '--yes');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const { commit, skills } = JSON.parse(third.lockText()).sources[0];
    expect(commit).toBe(sha256Of(await (await anyone(INDEX)).text()));
    expect(skills.map(({ path }: { path: string }) => path)).toEqual(['alpha', 'beta', 'gamma', 'shared']);
    // The files and their modes are those of the repository: so is the digest.
    const digestOf = (name: string, text: string) =>
      JSON.parse(text).sources[0].skills.find((each: { name: string }) => each.name === name).digest;
    expect(digestOf('alpha', third.lockText())).toBe(digestOf('alpha', world.lockText()));
    expect((await runIn(third, 'sync', '--check')).code).toBe(0);
    rmSync(join(third.data, 'sources'), { recursive: true });
    expect((await runIn(third, 'sync')).code).toBe(0);
    expect((await runIn(third, 'update')).stdout).toContain('up to date');
    third.remove();
  });

  test('a flood of strangers gets the same bytes or 429 with a time, and callers go on (S6, F10)', async () => {
    const first = await (await anyone(INDEX)).text();
    const seen = new Map<number, number>();
    for (let round = 0; round < 130; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => anyone(INDEX)));
      for (const answer of answers) {
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        const text = await answer.text();
        if (answer.status === 200) expect(text).toBe(first);
        else expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      if (seen.has(429)) break;
    }
    expect([...seen.keys()].sort()).toEqual([200, 429]);
    expect((await server.ask('/api/documents')).status).toBe(200);
    const authorization = `Bearer ${server.token}`;
    expect((await anyone(INDEX, { headers: { authorization } })).status).toBe(200);
    expect((await anyone(INDEX, { headers: { authorization: 'Bearer rpa_nothing' } })).status).toBe(401);
  });
});

test.skipIf(!hasGit)('without --public-index the index is for callers alone (S6)', async () => {
  const own = new SourceWorld();
  own.write('given/shared/SKILL.md', skillText('shared'));
  const closed = await serve(own, '--root', own.at('given'));
  expect((await fetch(`${closed.url}${INDEX}`)).status).toBe(401);
  expect((await closed.ask(INDEX)).status).toBe(200);
  await closed.stop();
  own.remove();
});

test('the index has each skill whose name and description its format takes, whatever its folder is called (S6)', async () => {
  const own = new SourceWorld();
  own.write('given/folder/SKILL.md', skillText('other-than-folder'));
  own.write('given/folder/notes.md', 'x');
  own.write('given/extra/SKILL.md', skillText('extra').replace('\n---', '\nmetadata:\n  version: 1.0\n---'));
  own.write('given/spoken/SKILL.md', skillText('Spoken Name'));
  own.write('given/long/SKILL.md', skillText('long').replace(/description: .*/, `description: ${'x'.repeat(1_025)}`));
  own.write('given/half/SKILL.md', skillText('half').replace(/description: .*/, 'description: "\\ud800"'));
  own.write('given/huge/SKILL.md', skillText('huge'));
  own.write('given/huge/data.bin', Buffer.alloc(17 * 1024 * 1024));
  const open = await serve(own, '--public-index', '--root', own.at('given'));
  const answer = await fetch(`${open.url}${INDEX}`);
  const { skills } = (await answer.json()) as { skills: readonly { name: string; url: string; digest: string }[] };
  expect(skills.map(({ name }) => name)).toEqual(['extra', 'other-than-folder']);
  expect([answer.headers.get('vary'), answer.headers.get('cache-control')]).toEqual([
    'Authorization, Cookie',
    'public, max-age=60',
  ]);
  for (const { url, digest } of skills) {
    const bytes = Buffer.from(await (await fetch(`${open.url}${url}`)).arrayBuffer());
    expect(`sha256:${sha256Of(bytes)}`).toBe(digest);
  }
  await open.stop();
  own.remove();
});
