// Limited document skills, a journey per surface: notifications, live events, metrics, the log, standard input, a refused start (N4).
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../tests/support/http-mcp-client.ts';
import { RawClient } from '../../tests/support/raw-client.ts';
import { serveHere } from '../../tests/support/served-here.ts';
import { createSkillWorld, type SkillWorld } from '../catalog/fixtures/skill-world.ts';
import { agentCaller, LOCAL_OPERATOR, userCaller } from '../identity/caller.ts';
import { subscribeViews } from '../repertoire/repertoire.ts';
import { startServer } from '../server.ts';
import { createAudience } from '../surfaces/mcp/audience.ts';
import type { OpenTo } from '../surfaces/mcp/wire/method.ts';
import { startLimited } from './fixtures/limited-server.ts';

const AGENTS = [
  { name: 'Plain', roles: ['Plain'] },
  { name: 'Keeper', roles: ['Keeper'] },
];

function build(world: SkillWorld) {
  world.skill('open/alpha', { body: 'The open one.\n' });
  world.skill('vault/alpha', { body: 'The one of the vault.\n' });
  world.skill('vault/deep');
  return { roots: [world.at('vault'), world.at('open')], visible: [{ root: world.at('vault'), roles: ['Keeper'] }] };
}

test('a view is the same for callers who see the same, by roles and not by kind; `*` opens none (N4)', async () => {
  const { server } = await startLimited(build, []);
  const { repertoire } = server;
  const named = (caller: Parameters<typeof repertoire.for>[0]) =>
    repertoire
      .for(caller)
      .named()
      .map(({ name }) => name);
  expect(repertoire.for(LOCAL_OPERATOR)).toBe(repertoire);
  expect(repertoire.for(agentCaller('a', ['Keeper']))).toBe(repertoire);
  expect(repertoire.for(agentCaller('a'))).toBe(repertoire.for(userCaller('u-1')));
  expect(named(agentCaller('a', ['*']))).toEqual(['alpha']);
  expect(named(userCaller('u-1', ['Keeper']))).toEqual(['alpha', 'deep']);
  // By a token whose issuer has not the role.
  expect(named({ ...userCaller('u-1', ['Keeper']), seesAs: [] })).toEqual(['alpha']);
  // What hides another one of its name hides it from those who see both.
  expect(repertoire.for(agentCaller('a')).loadByName('alpha')?.bytes.toString()).toContain('The open one');
  expect(repertoire.loadByName('alpha')?.bytes.toString()).toContain('The one of the vault');
});

test('a change of what is hidden is told to those who see it, and nothing of it to others (N4)', async () => {
  const { server, tokens, world } = await startLimited(build, AGENTS);
  const url = new URL(`${server.url}/mcp`);
  const open = async (as: string) => {
    const session = await openSession(url, '2025-11-25', { authorization: `Bearer ${tokens[as]}` });
    for (const uri of ['skill://deep/SKILL.md', 'skill://alpha/SKILL.md']) {
      await session.request(uri, 'resources/subscribe', { uri });
    }
    const events = await session.listen();
    onTestFinished(() => events.close());
    return events;
  };
  const [plain, keeper] = [await open('Plain'), await open('Keeper')];
  const live = async (as: string) => {
    const events = await fetch(`${server.url}/api/events`, { headers: { authorization: `Bearer ${tokens[as]}` } });
    const seen = { text: '' };
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => reader?.cancel());
    void (async () => {
      for (let got = await reader?.read(); got && !got.done; got = await reader?.read()) seen.text += got.value;
    })();
    return seen;
  };
  const [plainLive, keeperLive] = [await live('Plain'), await live('Keeper')];
  await server.repertoire.whole();
  world.skill('vault/deep', { body: '# Other steps\n' });
  const heard = ({ messages }: typeof plain) => messages.map((each) => `${each.method} ${JSON.stringify(each.params)}`);
  await expect.poll(() => heard(keeper)).toContain('notifications/resources/updated {"uri":"skill://deep/SKILL.md"}');
  await fetch(`${server.url}/api/documents/deep`, { headers: { authorization: `Bearer ${tokens.Keeper}` } });
  await expect.poll(() => keeperLive.text).toContain('"deep"');
  expect(keeperLive.text).toContain('event: catalog');
  // The open one is hidden from those who see the vault: what changes of it is news to the others alone.
  world.skill('open/alpha', { body: '# Changed\n' });
  await expect.poll(() => heard(plain)).toContain('notifications/resources/updated {"uri":"skill://alpha/SKILL.md"}');
  await expect.poll(() => plainLive.text).toContain('event: catalog');
  expect(heard(plain).filter((line) => line.includes('tools/list_changed'))).toHaveLength(1);
  expect(JSON.stringify(heard(plain)) + plainLive.text).not.toContain('deep');
  expect(plainLive.text).toContain('"documents":1');
});

test('what changes of a hidden skill in the folder of a visible one is told to those who see it alone (N4)', async () => {
  const { server, world } = await startLimited((folders) => {
    folders.skill('open/outer');
    folders.write('open/outer/notes.txt', 'one');
    folders.skill('open/outer/inner', { body: 'first\n' });
    return { roots: [folders.at('open')], visible: [{ names: ['inner', 'later'], roles: ['Keeper'] }] };
  }, []);
  const { repertoire } = server;
  const view = repertoire.for(agentCaller('plain', ['Plain']));
  const outer = view.loadByName('outer');
  if (outer === undefined) throw new Error('The outer skill is not there');
  const pathsIn = (skill: typeof outer) => view.manifestOf(skill).files.map(({ path }) => path);
  expect(repertoire.manifestOf(outer).files).toHaveLength(3);
  expect(pathsIn(outer)).toEqual(['SKILL.md', 'notes.txt']);
  const told: object[] = [];
  view.subscribe(({ added, changed, removed }) => void told.push({ added, changed, removed }));
  const whole = () => repertoire.loadByName('outer');
  const isNew = async (change: () => void) => {
    const before = whole();
    change();
    await expect.poll(() => whole() !== before).toBe(true);
  };
  await isNew(() => world.skill('open/outer/inner', { body: 'second\n' }));
  await isNew(() => world.write('open/outer/inner/plan.txt', 'of the vault'));
  await isNew(() => world.skill('open/outer/deep/later'));
  await isNew(() => world.remove('open/outer/deep'));
  expect(told).toEqual([]);
  // Who still holds the value that was replaced is shown no more of it.
  expect(view.loadByName('outer')).not.toBe(outer);
  expect(pathsIn(outer)).toEqual(['SKILL.md', 'notes.txt']);
  // What is seen of the same folder is told as ever.
  await isNew(() => world.write('open/outer/notes.txt', 'two'));
  expect(told).toEqual([{ added: [], changed: ['skill://outer/SKILL.md'], removed: [] }]);
  await isNew(() => world.remove('open/outer/notes.txt'));
  expect(told).toHaveLength(2);
});

test('the log and the metrics of a reader have no read of what is hidden from it (N4)', async () => {
  const { get, post } = await startLimited(build, AGENTS);
  await get('/api/documents/alpha', 'operator');
  await get('/api/documents/deep', 'operator');
  await get('/api/documents/alpha', 'Plain');
  await post('/api/typed-skills/request_routing/invoke', { request: 'deep things' }, 'operator');
  await expect.poll(() => get('/api/loads?client=Plain', 'operator')).toContain('alpha');
  const loads = await get('/api/loads', 'Plain');
  // The operator read the alpha of the vault.
  expect(JSON.parse(loads.slice(4)).loads).toMatchObject([{ skill_name: 'alpha', client: 'Plain' }]);
  expect(JSON.parse((await get('/api/loads', 'Keeper')).slice(4)).loads).toHaveLength(3);
  const runs = await get('/api/invocations', 'Plain');
  expect(runs).toContain('"output_payload":{"redacted":true}');
  expect(await get('/api/invocations', 'operator')).toContain('deep');
  const metrics = await get('/metrics', 'Plain');
  expect(metrics).toContain('repertoire_catalog_skills{kind="document"} 1');
  for (const path of ['/api/stats', '/api/uses', '/api/overview', '/api/activity', '/api/activity/choices']) {
    expect(await get(path, 'Keeper')).toContain('deep');
    expect(await get(path, 'Plain')).not.toContain('deep');
  }
  expect(runs + metrics).not.toContain('deep');
  expect(await get('/api/uses/deep', 'Plain')).toBe((await get('/api/uses/nope', 'Plain')).replace('nope', 'deep'));
});

const skillFile = (name: string) => ({
  files: [{ path: 'SKILL.md', text: `---\nname: ${name}\ndescription: Kept.\n---\n# Kept\n` }],
  message: 'The first',
});

test('what the library has is there for the roles of its limit, and for others it is an empty one (N4)', async () => {
  const visible = [{ library: true as const, roles: ['Keeper'] }];
  const withLibrary = (world: SkillWorld) => ({ ...build(world), visible });
  const { get, send, mcp } = await startLimited(withLibrary, AGENTS);
  const empty = await startLimited(withLibrary, AGENTS);
  const made = await send('PUT', '/api/library/kept-one', skillFile('kept-one'), 'operator');
  const digest = /sha256:[0-9a-f]{64}/.exec(made)?.[0] ?? '';
  await expect.poll(() => get('/api/documents', 'Keeper')).toContain('kept-one');
  expect(await get('/api/library', 'Keeper')).toContain('kept-one');
  expect(await get('/api/trail', 'Keeper')).toContain('kept-one');
  expect(await get('/api/trail', 'Plain')).not.toContain('kept-one');
  const paths = ['', '/kept-one/versions', `/kept-one/versions/${digest}`, `/kept-one/diff?to=${digest}`];
  for (const path of [...paths.map((each) => `/api/library${each}`), '/api/documents', '/api/documents/kept-one']) {
    expect(await get(path, 'Plain'), path).toBe(await empty.get(path, 'Plain'));
  }
  const changes = [
    ['POST', `/kept-one/versions/${digest}/approve`, { message: 'x' }],
    ['POST', `/kept-one/versions/${digest}/reject`, { message: 'x' }],
    ['POST', '/kept-one/rollback', { to: digest, message: 'x' }],
    ['POST', '/kept-one/withdraw', {}],
    ['DELETE', `/kept-one/versions/${digest}`, undefined],
    ['DELETE', '/kept-one', undefined],
    ['PUT', '/kept-one', skillFile('kept-one')],
    ['PUT', '/another', skillFile('another')],
  ] as const;
  for (const [method, path, body] of changes) {
    const answer = await send(method, `/api/library${path}`, body, 'Plain');
    expect(answer, path).toBe(await empty.send(method, `/api/library${path}`, body, 'Plain'));
    expect(answer, path).toMatch(/^4/);
  }
  const proposal = { name: 'propose_skill', arguments: { name: 'kept-one', ...skillFile('kept-one') } };
  expect(await mcp('tools/call', proposal, 'Plain')).toBe(await empty.mcp('tools/call', proposal, 'Plain'));
  expect(await get('/api/library', 'operator')).toContain(digest);
});

test('the index of skills is that of the reader, and its archives with it (N4)', async () => {
  const { get } = await startLimited(build, AGENTS);
  const folder = '/.well-known/agent-skills';
  expect(await get(`${folder}/index.json`, 'Plain')).not.toContain('deep');
  expect(await get(`${folder}/index.json`, 'Keeper')).toContain('deep');
  expect(await get(`${folder}/deep/SKILL.md`, 'Keeper')).toMatch(/^200/);
  const missing = await get(`${folder}/nope/SKILL.md`, 'Plain');
  expect(await get(`${folder}/deep/SKILL.md`, 'Plain')).toBe(missing.replaceAll('nope', 'deep'));
  expect(await get(`${folder}/alpha/SKILL.md`, 'Plain')).toContain('The open one');
  expect(await get(`${folder}/alpha/SKILL.md`, 'Keeper')).toContain('The one of the vault');
});

test('pages of reads go on where they ended, and count nothing that is hidden (N4)', async () => {
  const { get, server, tokens } = await startLimited(build, AGENTS);
  const fetchJson = async (path: string) =>
    JSON.parse(
      await (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${tokens.Plain}` } })).text(),
    );
  for (const _ of [1, 2, 3]) {
    await get('/api/documents/deep', 'operator');
    await get('/api/documents/alpha', 'Plain');
  }
  await get('/api/documents/deep', 'Keeper');
  await expect.poll(() => get('/api/loads?client=Keeper', 'operator')).toContain('deep');
  for (const list of ['loads', 'activity']) {
    const seen: { readonly id?: string; readonly skill_name: string }[] = [];
    let cursor = '';
    for (let page = 0; page < 9; page += 1) {
      const answer = await fetchJson(`/api/${list}?limit=1${cursor}`);
      seen.push(...answer[list]);
      if (answer.next_cursor === null) break;
      cursor = `&cursor=${answer.next_cursor}`;
      // A moment, and a place in it.
      expect(Buffer.from(answer.next_cursor, 'base64url').toString()).toMatch(/^\d{13} [1-3]$/);
    }
    expect(seen.map((each) => each.skill_name)).toEqual(['alpha', 'alpha', 'alpha']);
    expect(new Set(seen.map((each) => each.id ?? seen.indexOf(each))).size).toBe(3);
  }
  expect(await get('/api/loads?cursor=x', 'Plain')).toMatch(/^400/);
});

test('over standard input the agent that --agent names sees what its name opens, and the operator everything (N4)', async () => {
  const world = createSkillWorld();
  build(world);
  world.write(
    'repertoire.config.mjs',
    "export default { roots: ['./vault', './open'], visible: [{ root: './vault', roles: ['Keeper'] }] };\n",
  );
  const list = async (...agent: readonly string[]) => {
    const args = ['--config', world.at('repertoire.config.mjs'), '--data', world.at('data'), '--no-log', ...agent];
    const server = serveHere(args, { home: world.at('home'), workingDirectory: world.path, variables: {} });
    const client = new RawClient(server);
    onTestFinished(() => server.kill('SIGTERM'));
    await client.greet();
    return JSON.stringify(await client.request('resources/list', {}));
  };
  expect(await list('--agent', 'Plain')).not.toContain('deep');
  expect(await list('--agent', 'Keeper')).toContain('deep');
  expect(await list()).toContain('deep');
});

test.each([
  ['visible is {}', {}, 'is not a list'],
  ['two at once', [{ root: './a', names: ['b'], roles: [] }], 'has an entry 1 that says twice what it is about'],
  ['nothing', [{ names: ['a'], roles: [] }, { roles: ['b'] }], 'has an entry 2 that says of no skill what it is about'],
  ['no roles', [{ names: ['a'] }], 'has an entry 1 that has no list of roles'],
  ['the role of typed skills', [{ library: true, roles: ['*'] }], 'entry 1 that has the role "*", which opens typed'],
  ['no names', [{ names: [], roles: [] }], 'has an entry 1 that has a field "names" that is not a list of names'],
  ['a slip', [{ library: false, roles: [] }], 'has a field "library" that is not true'],
  ['another field', [{ roots: './a', roles: [] }], 'has the unknown field "roots"'],
  ['a root that is none', [{ root: './elsewhere', roles: [] }], 'entry 1 of "visible" names the root "./elsewhere"'],
])('a server does not start where an entry cannot be meant: %s (N4)', async (_case, visible, sentence) => {
  const world = createSkillWorld();
  world.skill('root/a');
  const options = { roots: [world.at('root')], data: world.at('data'), port: 0, visible };
  await expect(startServer(options as Parameters<typeof startServer>[0])).rejects.toThrow(sentence);
});

test('what is told to other replicas says who may hear of it (N4, N2)', async () => {
  const { server, world } = await startLimited(build, []);
  const { repertoire } = server;
  const { told, openTo, viewName } = createAudience(repertoire, LOCAL_OPERATOR);
  const plain = viewName(agentCaller('plain'));
  expect([viewName(LOCAL_OPERATOR), viewName(agentCaller('Keeper')), plain]).toEqual([
    undefined,
    undefined,
    expect.stringMatching(/^[\da-f]{16}$/),
  ]);
  const open: OpenTo[] = [];
  subscribeViews(repertoire, (swap) => open.push(...told(swap).map(openTo)));
  await repertoire.whole();
  world.skill('vault/deep', { body: '# Other steps\n' });
  await expect.poll(() => [...new Set(open.map(String))]).toEqual(['']);
  world.skill('open/beta');
  await expect.poll(() => open).toContain('all');
});

test('with clients of narrow tokens, other replicas are told that agents may hear of open skills, by the same names (N4, N2, O5)', async () => {
  const { server, world } = await startLimited((world) => ({ ...build(world), oauth: true }), []);
  const { repertoire } = server;
  const { told, openTo, viewName } = createAudience(repertoire, LOCAL_OPERATOR);
  const plain = viewName(agentCaller('plain'));
  const heard: OpenTo[] = [];
  subscribeViews(repertoire, (swap) => heard.push(...told(swap).map(openTo)));
  await repertoire.whole();
  world.skill('open/beta');
  await expect.poll(() => heard.flat()).toContain(plain);
});
