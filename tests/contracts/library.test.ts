// The library of the built program: made on one replica, served by all; nothing unapproved anywhere (L1–L7, N7).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { createServeWorld, type ServeWorld, untilHolds } from '../faults/serve-world.ts';
import { askModern } from '../support/http-mcp-client.ts';
import { createPlace } from '../support/postgres-database.ts';
import type { ServeProcess } from '../support/serve-process.ts';

let folder: string;
let world: ServeWorld;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-library-'));
  world = createServeWorld(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const placeOf = (kind: StorePlace['kind']) => createPlace(kind, folder, inject('postgresUrl'));

async function start(place: StorePlace, count = 1): Promise<readonly ServeProcess[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => world.start(place)));
  onTestFinished(async () => void (await Promise.all(servers.map(({ kill }) => kill()))));
  return servers;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what is in it
  readonly json: any;
}

async function call(
  server: ServeProcess,
  method: string,
  path: string,
  body?: unknown,
  token = server.token,
): Promise<Answer> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}

const skillText = (body: string, name = 'refunds') =>
  `---\nname: ${name}\ndescription: How refunds are made.\n---\n# Refunds\n${body}\n`;

const versionOf = (body: string, more: object = {}) => ({
  files: [
    { path: 'SKILL.md', text: skillText(body) },
    { path: 'notes.txt', text: `notes of ${body}\n` },
  ],
  message: `about ${body}`,
  ...more,
});

const put = (server: ServeProcess, body: string, more: object = {}, token?: string) =>
  call(server, 'PUT', '/api/library/refunds', versionOf(body, more), token ?? server.token ?? '');

async function agent(server: ServeProcess, name: string, scopes: readonly string[]): Promise<string> {
  const { status, json } = await call(server, 'POST', '/api/agents', { name, scopes });
  expect(status).toBe(201);
  return json.token;
}

const served = async (server: ServeProcess) => {
  const { status, json } = await call(server, 'GET', '/api/documents/refunds');
  return status === 200 ? json.content : status;
};

test('what is approved on one replica is served by all, and rolled back, withdrawn, deleted (L1, L3, L4)', async () => {
  const servers = await start(await placeOf('postgres'), 3);
  const [one, other] = servers as [ServeProcess, ServeProcess];
  const everywhere = async (expected: string | number) => {
    for (const server of servers) await expect.poll(() => served(server)).toBe(expected);
  };
  const first = (await put(one, 'one')).json.version;
  expect(first).toMatchObject({ state: 'approved', current: true, author: 'local', message: 'about one' });
  await everywhere(skillText('one'));
  const document = (await call(other, 'GET', '/api/documents/refunds')).json;
  expect(document).toMatchObject({
    source: 'library',
    base_directory: null,
    file_path: null,
    uri: 'skill://refunds/SKILL.md',
  });
  const bot = await agent(one, 'bot', ['skills:propose']);
  const second = (await put(other, 'two', { base: first.digest }, bot)).json.version;
  expect(second).toMatchObject({ state: 'proposed', current: false, author: 'agent:bot' });
  expect((await call(one, 'GET', '/api/library')).json).toEqual({
    review: 'off',
    skills: [{ name: 'refunds', current: first.digest, newest: second.digest, proposed: [second.digest] }],
  });
  const at = `/api/library/refunds/versions/${second.digest}`;
  expect((await call(other, 'POST', `${at}/approve`, { message: 'good' })).status).toBe(200);
  await everywhere(skillText('two'));
  const late = await put(one, 'three', { base: first.digest });
  expect([late.status, late.json.failure_code]).toEqual([409, 'VALIDATION_ERROR']);
  expect(late.json.failure_message).toContain(first.digest);
  expect(late.json.failure_message).toContain(second.digest);
  expect((await call(one, 'POST', '/api/library/refunds/rollback', { to: first.digest })).status).toBe(200);
  await everywhere(skillText('one'));
  const diff = await call(one, 'GET', `/api/library/refunds/diff?from=${first.digest}&to=${second.digest}`);
  expect(diff.json.files.map(({ path, change }: Record<string, string>) => [path, change])).toEqual([
    ['SKILL.md', 'changed'],
    ['notes.txt', 'changed'],
  ]);
  expect((await call(one, 'POST', '/api/library/refunds/withdraw', {})).json.skill.current).toBeNull();
  await everywhere(404);
  expect((await call(one, 'DELETE', '/api/library/refunds')).status).toBe(200);
  expect((await call(one, 'GET', '/api/library')).json.skills).toEqual([]);
  const files = (await call(other, 'GET', `/api/library/refunds/versions/${first.digest}`)).json.files;
  expect(files.map(({ path, text }: Record<string, string>) => [path, text])).toEqual([
    ['SKILL.md', skillText('one')],
    ['notes.txt', 'notes of one\n'],
  ]);
  const { entries } = (await call(one, 'GET', '/api/trail?limit=50')).json;
  expect(entries.map(({ action }: { readonly action: string }) => action).reverse()).toEqual([
    ...['skill.version', 'skill.approve', 'agent.add', 'skill.version', 'skill.approve'],
    ...['skill.rollback', 'skill.withdraw', 'skill.delete'],
  ]);
});

test('the library is served as it was seen last while the database is away; what changes it is 503 (N7)', async () => {
  const place = await placeOf('sqlite');
  const [server] = (await start(place)) as [ServeProcess];
  await put(server, 'one');
  await expect.poll(() => served(server)).toBe(skillText('one'));
  await server.kill();
  if (place.kind !== 'sqlite') throw new Error('It is SQLite');
  // The same data directory, another database that cannot be reached.
  const away = await world.start({ kind: 'postgres', url: 'postgres://127.0.0.1:1/none' }, [
    '--data',
    place.dataDirectory,
  ]);
  onTestFinished(() => away.kill());
  await expect.poll(() => served(away)).toBe(skillText('one'));
  expect([(await call(away, 'GET', '/api/library')).status, (await put(away, 'two')).status]).toEqual([503, 503]);
});

test('a copy that is changed while a server runs is brought from the store again, and never served (N7)', async () => {
  const place = await placeOf('sqlite');
  if (place.kind !== 'sqlite') throw new Error('It is SQLite');
  const [server] = (await start(place)) as [ServeProcess];
  const { digest } = (await put(server, 'one')).json.version;
  await expect.poll(() => served(server)).toBe(skillText('one'));
  const path = join(place.dataDirectory, 'library', 'skills', digest.slice('sha256:'.length), 'SKILL.md');
  rmSync(path);
  writeFileSync(path, skillText('another'));
  const seen = new Set<unknown>();
  await expect
    .poll(async () => {
      seen.add(await served(server));
      return readFileSync(path, 'utf8');
    })
    .toBe(skillText('one'));
  await expect.poll(() => served(server)).toBe(skillText('one'));
  expect([...seen]).not.toContain(skillText('another'));
});

describe('nothing unapproved is told to others (L4)', () => {
  const SECRET = 'xylophone';
  const surfaces: readonly (readonly [string, (server: ServeProcess, token: string) => Promise<string>])[] = [
    ...[
      '/api/documents',
      `/api/search?q=${SECRET}`,
      '/api/documents/refunds',
      '/api/documents/refunds/files/notes.txt',
      '/api/problems',
      '/api/library',
      '/api/library/refunds/versions',
      '/api/library/refunds/diff?to=DIGEST',
      '/api/library/refunds/versions/DIGEST',
      '/api/trail',
      '/api/openai/tools',
      '/.well-known/agent-skills/index.json',
    ].map(
      (path) =>
        [
          `GET ${path}`,
          async (server: ServeProcess, token: string) =>
            (await call(server, 'GET', path.replace('DIGEST', digest), undefined, token)).text,
        ] as const,
    ),
    ...(
      [
        ['tools/list', {}],
        ['tools/call', { name: 'list_skills', arguments: {} }],
        ['tools/call', { name: 'search_skills', arguments: { query: SECRET } }],
        ['tools/call', { name: 'skill', arguments: { name: 'refunds' } }],
        ['tools/call', { name: 'get_skill', arguments: { uri: 'skill://refunds/SKILL.md' } }],
        ['tools/call', { name: 'read_skill_file', arguments: { skill: 'refunds', path: 'notes.txt' } }],
        ['tools/call', { name: 'propose_skill', arguments: { name: 'refunds', files: [], message: 'x' } }],
        ['resources/list', {}],
        ['resources/read', { uri: 'skill://refunds/SKILL.md' }],
        ['skills/list', {}],
        ['prompts/list', {}],
        ['resources/templates/list', {}],
        [
          'completion/complete',
          {
            ref: { type: 'ref/resource', uri: 'skill://{name}/SKILL.md' },
            argument: { name: 'name', value: SECRET.slice(0, 3) },
          },
        ],
      ] as const
    ).map(
      ([method, params]) =>
        [
          `${method} ${JSON.stringify(params)}`,
          async (server: ServeProcess, token: string) =>
            (
              await askModern(new URL(server.mcp_url), method, params, {
                headers: { authorization: `Bearer ${token}` },
              })
            ).text,
        ] as const,
    ),
  ];
  let server: ServeProcess;
  let plain: string;
  let digest = '';
  beforeAll(async () => {
    server = await world.start(await placeOf('sqlite'));
    plain = await agent(server, 'plain', ['log:read']);
    await put(server, 'harmless');
    await untilHolds('it is served', async () => (await served(server)) === skillText('harmless'));
    const bot = await agent(server, 'bot', ['skills:propose']);
    const made = await put(server, SECRET, { message: SECRET }, bot);
    digest = made.json.version.digest;
    const files = [{ path: 'SKILL.md', text: skillText(SECRET, SECRET) }];
    const another = await call(server, 'PUT', `/api/library/${SECRET}`, { files, message: SECRET }, bot);
    expect(another.json.version.state).toBe('proposed');
  });
  afterAll(() => server.kill());

  test.each(surfaces)('%s', async (_name, ask) => {
    const text = await ask(server, plain);
    // What was asked for may be said back.
    const answered = text.replaceAll(/No skill fits \\"xylophone\\"/g, '');
    expect(answered).not.toContain(SECRET);
    expect(answered).not.toContain(digest);
  });

  test('propose_skill is offered to those who may propose, and changes nothing that is served (L6)', async () => {
    const url = new URL(server.mcp_url);
    const names = async (token: string) => {
      const { text } = await askModern(url, 'tools/list', {}, { headers: { authorization: `Bearer ${token}` } });
      return text.includes('"propose_skill"');
    };
    const proposer = await agent(server, 'proposer', ['skills:propose']);
    expect([await names(plain), await names(proposer), await names(server.token ?? '')]).toEqual([false, true, true]);
    const given = { name: 'propose_skill', arguments: { name: 'refunds', ...versionOf('better') } };
    const { text } = await askModern(url, 'tools/call', given, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(text).toContain('"state":"proposed"');
    expect(await served(server)).toBe(skillText('harmless'));
  });

  test('the large body is for those who may, one at a time (L1)', async () => {
    const files = [
      { path: 'SKILL.md', text: skillText('large') },
      { path: 'a.bin', base64: Buffer.alloc(15_000_000, 1).toString('base64') },
    ];
    const large = { files, message: 'large' };
    expect((await call(server, 'PUT', '/api/library/refunds', large)).status).toBe(200);
    expect((await call(server, 'POST', '/api/library/refunds/rollback', large)).status).toBe(413);
    expect(
      (await call(server, 'PUT', '/api/library/refunds', large, plain).catch(() => ({ status: 403 }))).status,
    ).toBe(403);
    // One that never ends holds its caller's turn: others wait, and are sent away when it takes too long.
    const open = () => {
      const asked = request(`${server.url}/api/library/refunds`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json', 'Content-Length': 10 },
      });
      asked.on('error', () => undefined).write('{');
      onTestFinished(() => void asked.destroy());
      return asked;
    };
    const first = open();
    // As soon as its head has come.
    await expect
      .poll(async () => (await call(server, 'PUT', '/api/library/refunds', versionOf('is sent away'))).status)
      .toBe(429);
    const second = call(server, 'PUT', '/api/library/refunds', versionOf('waits'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    first.destroy();
    expect((await second).status).toBe(200);
  });
});

test.each(['sqlite', 'postgres'] as const)('what was answered is there after kill -9 on %s (L1)', async (kind) => {
  const place = await placeOf(kind);
  const [server] = (await start(place)) as [ServeProcess];
  const { digest } = (await put(server, 'kept')).json.version;
  await server.kill();
  const [again] = (await start(place)) as [ServeProcess];
  await expect.poll(() => served(again)).toBe(skillText('kept'));
  expect((await call(again, 'GET', '/api/library')).json.skills[0]).toMatchObject({ current: digest });
});
