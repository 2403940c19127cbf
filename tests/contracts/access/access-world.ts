// One server of the built program with callers of every kind, asked over plain HTTP: every header is ours to choose.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { askAgain } from '../../support/ask-again.ts';
import { askModern } from '../../support/http-mcp-client.ts';
import { type ServeProcess, startServeProcess } from '../../support/serve-process.ts';

export type Fields = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Empty where the body is no JSON object. */
  readonly json: Fields;
}

export interface Request {
  readonly method?: string;
  /** Sent as bearer; null sends none. */
  readonly token?: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** A text or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

const run = promisify(execFile);
export const programPath = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
export const skillsRoot = fileURLToPath(new URL('../../../examples/skills', import.meta.url));

export class AccessWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'repertoire-access-'));
  readonly environment = { PATH: process.env.PATH ?? '', HOME: this.folder };
  readonly dataOptions: readonly string[];
  /** Everything that was answered, for what must hold of all answers. */
  readonly answers: { readonly asked: string; readonly answer: Answer }[] = [];
  #server: ServeProcess | undefined;

  /** `store`: where it is kept, if not in the data directory. */
  constructor(store: readonly string[] = []) {
    this.dataOptions = ['--data', join(this.folder, 'data'), ...store];
  }

  get server(): ServeProcess {
    if (!this.#server) throw new Error('The server of this world was not started');
    return this.#server;
  }

  get operator(): string {
    return this.server.token ?? '';
  }

  get mcp(): URL {
    return new URL(this.server.mcp_url);
  }

  async start(options: readonly string[] = this.dataOptions): Promise<this> {
    this.#server = await startServeProcess(['--root', skillsRoot, ...options], this.environment);
    return this;
  }

  /** The same data; everything that was only remembered is forgotten. */
  async restart(): Promise<void> {
    await this.#server?.stop();
    await this.start();
  }

  async end(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As nobody, unless a token is named. */
  async ask(path: string, { method, token = null, headers = {}, body }: Request = {}): Promise<Answer> {
    const verb = method ?? (body === undefined ? 'GET' : 'POST');
    const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const answer = await send(this.server.port, verb, path, bytes, {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    });
    this.answers.push({ asked: `${verb} ${path} ${JSON.stringify(headers)}`, answer });
    return answer;
  }

  invoke(token: string | null, skill: string, input: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.ask(`/api/typed-skills/${skill}/invoke`, { token, body: input, headers });
  }

  /** The message that answers a call of the protocol 2026-07-28. */
  async callTool(token: string, name: string, args: Fields): Promise<Fields> {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await askModern(this.mcp, 'tools/call', { name, arguments: args }, { headers });
    const [message] = reply.messages;
    if (!message) throw new Error(`No answer to ${name}: ${reply.status} ${reply.text}`);
    return message as unknown as Fields; // JSON-RPC
  }

  /** The output of a skill that has to succeed, invoked by the operator. */
  async give(skill: string, input: Fields): Promise<Fields> {
    const answer = await askAgain(() => this.invoke(this.server.token, skill, input));
    if (answer.status !== 200) throw new Error(`Cannot prepare with ${skill}: ${answer.text}; ${this.server.stderr()}`);
    return answer.json.output_payload as Fields; // X3: an object where it succeeded
  }

  async addUser(name: string): Promise<User> {
    const email = `${name}@example.org`;
    const { user_id } = await this.give('user_creation', { email, password: `correct horse ${name}` });
    const { access_token } = await this.give('token_generation', { user_id, email });
    return { id: String(user_id), email, token: String(access_token) };
  }

  async addTask(user: User, title: string): Promise<string> {
    return String((await this.give('task_creation', { user_id: user.id, title })).task_id);
  }

  /** Its token. */
  async addAgent(name: string, ...options: readonly string[]): Promise<string> {
    return JSON.parse(await this.command('agent', 'add', name, ...options, '--json')).token;
  }

  /** The cookie of a person who signs in; their password is that of `addUser`. */
  async signIn(name: string): Promise<string> {
    const body = { email: `${name}@example.org`, password: `correct horse ${name}` };
    const { status, headers } = await this.ask('/api/session', { body });
    if (status !== 204) throw new Error(`Cannot sign in as ${name}: ${status}`);
    return String(headers['set-cookie']).split(';')[0] ?? '';
  }

  async command(...words: readonly string[]): Promise<string> {
    const options = { env: this.environment };
    return (await run(process.execPath, [programPath, ...words, ...this.dataOptions], options)).stdout;
  }

  /** What the log has under this correlation id: `skill` by `agent`: `status`. */
  async logged(correlationId: string): Promise<readonly string[]> {
    const answer = await this.ask(`/api/invocations?correlation_id=${correlationId}`, { token: this.server.token });
    const rows = answer.json.invocations as readonly Fields[]; // H2
    return rows.map((row) => `${row.skill_name} by ${row.invoking_agent}: ${row.status}`).sort();
  }
}

function send(
  port: number,
  method: string,
  path: string,
  body: string | Buffer | undefined,
  headers: OutgoingHttpHeaders,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const asked = request({ host: '127.0.0.1', port, path, method, headers: given, agent: false });
    asked.once('error', reject).once('response', (response) => {
      const chunks: Buffer[] = [];
      // A server that refuses a body early may cut the rest off: what came until then is the answer.
      response
        .on('data', (chunk) => chunks.push(chunk))
        .once('close', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: objectIn(text) });
        });
      // It would go on for ever; that it began says enough.
      if (method === 'GET' && response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
    });
    asked.end(body);
  });
}

function objectIn(text: string): Fields {
  if (!text.startsWith('{')) return {};
  return JSON.parse(text);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const RETRY = 'recoverable';
/** X4: start of the message, severity, suggested action. */
const failures = {
  VALIDATION_ERROR: ['Input validation failed: ', RETRY, 'Fix input and retry'],
  NOT_FOUND: ['Resource not found: ', RETRY, 'Verify resource exists before operation'],
  UNAUTHORIZED: ['Access denied: ', 'fatal', 'Check permissions or re-authenticate'],
  RATE_EXCEEDED: ['Rate limit exceeded. Retry after ', RETRY, 'Wait and retry with backoff'],
  PERSISTENCE_ERROR: ['Database operation failed', RETRY, 'Retry operation'],
} as const;

export type Code = keyof typeof failures;

/** Exactly the body of H3, and nothing of another kind. */
export function expectFailure(answer: Answer, status: number, code: Code): void {
  const [message, severity, suggested_action] = failures[code];
  expect({ status: answer.status, ...answer.json }).toEqual({
    status,
    success: false,
    failure_code: code,
    failure_message: expect.stringMatching(new RegExp(`^${message}`)),
    severity,
    suggested_action,
    correlation_id: expect.stringMatching(UUID),
  });
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer\b/);
}

/** A refusal by a skill: the keys of a result (X3), each of them there. */
export function expectRefusedResult(answer: Answer, status: number, code: Code): void {
  const [message, severity, suggested_action] = failures[code];
  expect({ status: answer.status, ...answer.json }).toEqual({
    status,
    invocation_id: expect.stringMatching(UUID),
    success: false,
    output_payload: null,
    failure_code: code,
    failure_message: expect.stringMatching(new RegExp(`^${message}`)),
    failure_details: answer.json.failure_details,
    severity,
    suggested_action,
    duration_ms: expect.any(Number),
    timestamp: expect.any(String),
    correlation_id: expect.stringMatching(UUID),
  });
  expect(answer.json).toHaveProperty('failure_details');
}

/** An `initialize` of the 2025 era, which needs nothing before it. */
export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'contract-tests', version: '1.0.0' } },
};

/** Of an answer that somebody beyond our own code may read: nothing of how and where the server runs. */
export function leaksIn(text: string): readonly string[] {
  const telling = [
    /\n\s+at /,
    /\\n\s+at /,
    /node:internal|node_modules|dist\/cli/,
    /SQLITE|\bSELECT\b|\bINSERT\b|\bUPDATE [a-z]|\bDELETE FROM\b/,
    /\bE(?:NOENT|ACCES|CONNREFUSED|PERM)\b/,
    /(?:^|[\s"'(])\/(?:tmp|home|root|work|Users|var)\//,
  ];
  return telling.filter((pattern) => pattern.test(text)).map(String);
}
