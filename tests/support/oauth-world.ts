// Servers that hosts sign in to by OAuth, in this process: one or several on one store, and a client that does each step by hand.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpApp, startHttpApp } from '../../src/app.ts';
import { type GivenOptions, NOTHING_GIVEN, resolveSettings } from '../../src/settings/config.ts';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { askAgain } from './ask-again.ts';
import { writeSkill } from './write-skill.ts';

export const OPERATOR = `rpo_${'o'.repeat(43)}`;
export const PASSWORD = 'correct horse battery';
export const BACK = 'http://127.0.0.1:9999/callback';
export const VERIFIER = 'v'.repeat(64);
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

export interface OAuthOptions extends Partial<GivenOptions> {
  readonly place?: StorePlace;
  readonly replicas?: number;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** The next request goes to the next replica (O8). */
export class OAuthWorld {
  readonly #folder = mkdtempSync(join(tmpdir(), 'repertoire-oauth-'));
  readonly apps: HttpApp[] = [];
  #place: StorePlace | undefined;
  #turn = 0;

  async start({ place, replicas = 1, ...given }: OAuthOptions = {}): Promise<this> {
    writeSkill(join(this.#folder, 'skills'), 'sql-review');
    this.#place = place;
    for (let count = 0; count < replicas; count += 1) this.apps.push(await this.#open(given));
    return this;
  }

  /** One server in place of those that there were, on what they kept. */
  async restart({ operator = OPERATOR, ...given }: Partial<GivenOptions> & { operator?: string } = {}): Promise<void> {
    for (const app of this.apps.splice(0)) await app.close();
    this.apps.push(await this.#open(given, operator));
  }

  async #open(given: Partial<GivenOptions>, operator = OPERATOR): Promise<HttpApp> {
    const place = this.#place;
    const variables = { REPERTOIRE_OPERATOR_TOKEN: operator, REPERTOIRE_SECRET: 's'.repeat(40) };
    const options = {
      ...NOTHING_GIVEN,
      roots: [join(this.#folder, 'skills')],
      data: join(this.#folder, 'data'),
      databaseUrl: place?.kind === 'postgres' ? place.url : undefined,
      port: 0,
      oauth: true,
      ...given,
    };
    const settings = resolveSettings(options, { home: this.#folder, workingDirectory: this.#folder, variables });
    const web = { hasApp: () => false, readApp: () => undefined, readPages: () => new Map() };
    const app = await startHttpApp(settings, { version: '0.0.0', log: () => undefined, web });
    if (!app.ok) throw new Error(app.failure);
    return app.value;
  }

  async close(): Promise<void> {
    for (const app of this.apps) await app.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get url(): string {
    const app = this.apps[this.#turn++ % this.apps.length];
    if (app === undefined) throw new Error('Nothing was started');
    return app.url;
  }

  get origin(): string {
    return this.apps[0]?.url ?? '';
  }

  get resource(): string {
    return `${this.origin}/mcp`;
  }

  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { redirect: 'manual', ...init });
  }

  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Response> {
    return this.ask(path, { method: 'POST', body: formOf(fields), headers });
  }

  /** Over the API, as the operator. */
  async operate(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<unknown> {
    const headers = { Authorization: `Bearer ${OPERATOR}`, 'Content-Type': 'application/json' };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await askAgain(() => this.ask(path, request))).json();
  }

  async addPerson(scopes: readonly string[] = []): Promise<{ readonly email: string; readonly id: string }> {
    const email = `${randomUUID()}@example.com`;
    const made = await this.operate('/api/typed-skills/user_creation/invoke', { email, password: PASSWORD });
    const id = (made as { output_payload: { user_id: string } }).output_payload.user_id;
    if (scopes.length > 0) await this.operate(`/api/users/${encodeURIComponent(email)}/grant`, { scopes });
    return { email, id };
  }

  async register(metadata: object = {}): Promise<string> {
    const body = JSON.stringify({ client_name: 'Test client', redirect_uris: [BACK], ...metadata });
    const request = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    const answer = await askAgain(() => this.ask('/oauth/register', request));
    const { client_id: id } = (await answer.json()) as { client_id: string };
    if (answer.status !== 201) throw new Error(`Not registered: ${answer.status}`);
    return id;
  }

  authorize(clientId: string, changes: Fields = {}, headers: Record<string, string> = {}): Promise<Response> {
    const asked = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: BACK,
      code_challenge: challengeOf(VERIFIER),
      code_challenge_method: 'S256',
      resource: this.resource,
      scope: 'skills:read skills:invoke',
      state: 'a state',
      ...changes,
    };
    return this.ask(`/oauth/authorize?${formOf(asked)}`, { headers });
  }

  /** The page, as a browser has it: its ticket and its cookie. */
  async page(clientId: string, changes: Fields = {}): Promise<Shown> {
    const answer = await this.authorize(clientId, changes);
    const html = await answer.text();
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { answer, html, cookie, ticket: /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? '' };
  }

  decide({ ticket, cookie }: Pick<Shown, 'ticket' | 'cookie'>, fields: Fields, headers: Record<string, string> = {}) {
    return this.post('/oauth/consent', { ticket, decision: 'allow', ...fields }, { cookie, ...headers });
  }

  /** A code for this client, allowed by the operator unless `fields` say otherwise. */
  async code(clientId: string, changes: Fields = {}, fields: Fields = { token: OPERATOR }): Promise<string> {
    const back = await askAgain(async () => this.decide(await this.page(clientId, changes), fields));
    const code = new URL(back.headers.get('location') ?? 'http://none/').searchParams.get('code');
    if (code === null) throw new Error(`No code: ${back.status} ${back.headers.get('location')} ${await back.text()}`);
    return code;
  }

  trade(clientId: string, code: string, changes: Fields = {}): Promise<Response> {
    const form = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: BACK,
      code_verifier: VERIFIER,
    };
    return this.post('/oauth/token', { ...form, ...changes });
  }

  refresh(clientId: string, token: string, changes: Fields = {}): Promise<Response> {
    return this.post('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      ...changes,
    });
  }

  async tokens(clientId: string, changes: Fields = {}, fields?: Fields): Promise<Tokens> {
    const answer = await askAgain(async () => this.trade(clientId, await this.code(clientId, changes, fields)));
    if (answer.status !== 200) throw new Error(`No tokens: ${await answer.text()}`);
    return (await answer.json()) as Tokens;
  }

  mcp(token: string | undefined, method = 'tools/list', params: object = {}): Promise<Response> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const name = (params as { name?: string }).name;
    return this.ask('/mcp', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(name === undefined ? {} : { 'Mcp-Name': name }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
    });
  }
}

export interface Shown {
  readonly answer: Response;
  readonly html: string;
  readonly cookie: string;
  readonly ticket: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
}

const formOf = (fields: Fields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined));
