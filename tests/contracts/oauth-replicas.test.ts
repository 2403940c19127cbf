// Three servers on one PostgreSQL, each request to the next of them, with the OAuth clients of both SDKs and a person at a real
// browser (O2-O4, O7, O8, N3).
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { askAgain } from '../support/ask-again.ts';
import { createPerson, type Person } from '../support/oauth-person.ts';
import { BACK, OAuthWorld, OPERATOR, PASSWORD } from '../support/oauth-world.ts';
import { createDatabase, makeTables } from '../support/postgres-database.ts';
import { type RoundRobin, startRoundRobin } from '../support/round-robin.ts';

const world = new OAuthWorld();
let balancer: RoundRobin;
/** Without a server behind it yet: they have to know the address by which they are called. */
const gate = createServer((asked, answer) => {
  answer.writeHead(307, { Location: asked.url }).end();
});
let origin = '';
let browser: Browser;
let operator: Person;
let documents: Server;
/** Of a description that names the address of this person. */
let documentUrl = '';

beforeAll(async () => {
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  const place = await createDatabase({ url: inject('postgresUrl') });
  await makeTables(place);
  await world.start({ place, replicas: 3, publicUrl: origin, allowLoopbackClients: true });
  balancer = await startRoundRobin(
    world.apps.map(({ url }) => url),
    port,
  );
  browser = await chromium.connect(inject('browserEndpoint'));
  operator = await createPerson(browser, { token: OPERATOR });
  documents = await serveDescription(operator.back);
  documentUrl = `http://127.0.0.1:${(documents.address() as AddressInfo).port}/client.json`;
});
afterAll(async () => {
  operator.close();
  documents.close();
  await browser.close();
  await balancer.close();
  await world.close();
});

async function findFreePort(): Promise<number> {
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const { port } = gate.address() as AddressInfo;
  await new Promise((resolve) => gate.close(resolve));
  return port;
}

async function serveDescription(back: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    const client_id = `http://127.0.0.1:${(server.address() as AddressInfo).port}${asked.url}`;
    answer.writeHead(200, { 'Content-Type': 'application/json' });
    answer.end(JSON.stringify({ client_id, client_name: 'Described', redirect_uris: [BACK, back] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** What a host keeps; it leads the person's browser to the page. */
/** `description`: its id. The SDKs take https alone as a `clientMetadataUrl`, so the host says it as one that it has. */
function createHost(person: Person, description?: string) {
  const kept: Record<string, unknown> = { client: description && { client_id: description } };
  const provider = {
    redirectUrl: person.back,
    clientMetadata: { client_name: 'A host', redirect_uris: [person.back], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => String(kept.verifier),
    redirectToAuthorization: async (url: URL) => {
      kept.told = await person.allow(url);
    },
  };
  const told = () => kept.told as URLSearchParams;
  return { provider: provider as unknown as OAuthClientProvider, kept, told };
}

const SDKS = {
  'client 2.4': { Client, Transport: StreamableHTTPClientTransport },
  'sdk 1.32': { Client: ClientV1, Transport: TransportV1 },
} as const;

async function signIn(sdk: keyof typeof SDKS, host: ReturnType<typeof createHost>) {
  const { Client: Made, Transport } = SDKS[sdk] as (typeof SDKS)['client 2.4'];
  const open = () => new Transport(new URL(`${origin}/mcp`), { authProvider: host.provider });
  const first = open();
  await expect(new Made({ name: 'host', version: '1' }).connect(first)).rejects.toThrow();
  await first.finishAuth(host.told().get('code') ?? '', host.told().get('iss') ?? '');
  const client = new Made({ name: 'host', version: '1' });
  await client.connect(open());
  return client;
}

interface Listed {
  readonly clients: readonly {
    readonly id: string;
    readonly client_id: string;
    readonly last_used_at: string | null;
  }[];
}

const WAYS = ['dynamic', 'document'] as const;
const CASES = (Object.keys(SDKS) as (keyof typeof SDKS)[]).flatMap((sdk) => WAYS.map((way) => [sdk, way] as const));

describe.each(CASES)('%s, registered by %s', (sdk, way) => {
  test('finds, registers, is allowed in a browser, calls, refreshes, and is revoked (O2, O3, O4, O7, O8)', async () => {
    const host = createHost(operator, way === 'document' ? documentUrl : undefined);
    const client = await signIn(sdk, host);
    const id = (host.kept.client as { client_id: string }).client_id;
    expect(id === documentUrl).toBe(way === 'document');
    const answer = await client.callTool({ name: 'skill', arguments: { name: 'sql-review' } });
    expect(JSON.stringify(answer.content)).toContain('Loading: sql-review');
    // As if it had expired: the client takes the next one by itself.
    const before = host.kept.tokens as { access_token: string; refresh_token: string };
    host.kept.tokens = { ...before, access_token: `rpt_${'x'.repeat(43)}` };
    await client.callTool({ name: 'list_skills', arguments: {} });
    const after = host.kept.tokens as { access_token: string; refresh_token: string };
    expect(after.refresh_token).not.toBe(before.refresh_token);
    const own = await findListed(id);
    expect(own).toMatchObject({ person: null, scopes: ['skills:read', 'skills:invoke'] });
    await world.operate(`/api/clients/${own?.id}`, undefined, 'DELETE');
    for (let replica = 0; replica < 3; replica += 1)
      await expect.poll(async () => (await world.mcp(after.access_token)).status).toBe(401);
    expect((await world.refresh(id, after.refresh_token)).status).toBeGreaterThanOrEqual(400);
    await client.close();
  });
});

async function findListed(clientId: string) {
  const { clients } = (await world.operate('/api/clients')) as Listed;
  return clients.find(({ client_id }) => client_id === clientId);
}

test('the browser goes on where the client leads it from its own address (O3)', async () => {
  // It speaks no TLS: that the browser comes is all there is to see.
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const site = createTcpServer((socket) => {
    reached();
    socket.destroy();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const next = `https://127.0.0.1:${(site.address() as AddressInfo).port}/done`;
  const callback = createServer((_asked, answer) => void answer.writeHead(302, { Location: next }).end());
  await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
  const back = BACK.replace(/:\d+/, `:${(callback.address() as AddressInfo).port}`);
  const page = await browser.newPage();
  const { url } = await world.authorize(documentUrl, { ...ofOrigin(), redirect_uri: back });
  await page.goto(url);
  await page.getByLabel('Operator token').fill(OPERATOR);
  await page.getByRole('button', { name: 'Allow' }).click();
  await isReached;
  await page.close();
  for (const server of [site, callback]) server.close();
});

const ofOrigin = () => ({ resource: `${origin}/mcp` });

test('a person signs in with email and password in the browser, and the client has what they have (O3, O5)', async () => {
  const { email } = await world.addPerson();
  const person = await createPerson(browser, { email, password: PASSWORD });
  const host = createHost(person);
  const client = await signIn('client 2.4', host);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect(await findListed((host.kept.client as { client_id: string }).client_id)).toMatchObject({ person: email });
  await client.close();
  person.close();
});

describe('open streams end on every replica when their token is revoked (O4, N3)', () => {
  /** One to each replica; `ended` resolves when all have. */
  async function openStreams(token: string) {
    const listen = { notifications: { toolsListChanged: true } };
    const streams = await Promise.all([0, 1, 2].map(() => world.mcp(token, 'subscriptions/listen', listen)));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    return { ended: Promise.all(streams.map((stream) => stream.text().catch(() => 'cut'))) };
  }

  test.each(['the client gives it back', 'the operator revokes the client', 'a used refresh token comes again'])(
    '%s',
    async (how) => {
      const tokens = await world.tokens(documentUrl, ofOrigin());
      const fresh = (await (await world.refresh(documentUrl, tokens.refresh_token)).json()) as typeof tokens;
      const { ended } = await openStreams(fresh.access_token);
      const stays = await world.tokens(await otherClient(), ofOrigin());
      if (how === 'the client gives it back')
        await world.post('/oauth/revoke', { token: fresh.refresh_token, client_id: documentUrl });
      else if (how === 'the operator revokes the client')
        await world.operate(`/api/clients/${(await findListed(documentUrl))?.id}`, undefined, 'DELETE');
      else expect((await world.refresh(documentUrl, tokens.refresh_token)).status).toBe(400);
      await ended;
      for (let replica = 0; replica < 3; replica += 1) {
        expect((await world.mcp(fresh.access_token)).status).toBe(401);
        expect((await world.mcp(stays.access_token)).status).toBe(200);
      }
    },
  );

  test('so do those of a token that the client issued in a user’s name', async () => {
    const person = await world.addPerson();
    const { access_token: own, refresh_token: token } = await world.tokens(documentUrl, ofOrigin());
    const answer = await world.ask('/api/typed-skills/token_generation/invoke', {
      method: 'POST',
      body: JSON.stringify({ user_id: person.id, email: person.email }),
      headers: { Authorization: `Bearer ${own}`, 'Content-Type': 'application/json' },
    });
    const { output_payload: issued } = (await answer.json()) as { output_payload: { access_token: string } };
    const { ended } = await openStreams(issued.access_token);
    await world.post('/oauth/revoke', { token, client_id: documentUrl });
    await ended;
    for (let replica = 0; replica < 3; replica += 1) expect((await world.mcp(issued.access_token)).status).toBe(401);
  });

  let other: Promise<string> | undefined;
  const otherClient = () => (other ??= world.register({ client_name: 'One that stays' }));
});

test('a code that is used on three replicas at once is used once, and takes everything along (O4, O8)', async () => {
  const code = await world.code(documentUrl, ofOrigin());
  const answers = await Promise.all([1, 2, 3].map(() => world.trade(documentUrl, code)));
  const good = answers.filter(({ status }) => status === 200);
  expect(good.length).toBeLessThanOrEqual(1);
  for (const answer of good) {
    const { access_token: token } = (await answer.json()) as { access_token: string };
    for (let replica = 0; replica < 3; replica += 1)
      await expect.poll(async () => (await world.mcp(token)).status).toBe(401);
  }
});

/** Last: no one can register from here afterwards. */
test('an address registers ten clients an hour, over all replicas, then 429 (O2)', async () => {
  const body = JSON.stringify({ redirect_uris: [BACK] });
  const request = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
  const register = () => askAgain(() => world.ask('/oauth/register', request));
  const answers = await Promise.all(Array.from({ length: 12 }, register));
  const taken = answers.filter(({ status }) => status === 201).length;
  // Those of the tests before count, too; clients that were revoked do not.
  expect(taken).toBeLessThanOrEqual(10);
  expect(answers.filter(({ status }) => status === 429).length).toBe(12 - taken);
  expect((await register()).status).toBe(429);
});
