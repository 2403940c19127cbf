// One day of an agent and its user, over HTTP and over MCP: the same steps, the same answers (B1–B6, X6, X9, H2).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askModern } from '../support/http-mcp-client.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';

type Fields = Record<string, unknown>;

/** How a surface runs a typed skill: its output, or the code of its failure. */
type Invoke = (skill: string, input: Fields, correlationId?: string) => Promise<Fields & { readonly failed?: string }>;

let home = '';
let server: ServeProcess;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'repertoire-journey-'));
  const options = ['--data', join(home, 'data'), '--root', 'examples/skills'];
  server = await startServeProcess(options, { HOME: home, PATH: process.env.PATH });
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  rmSync(home, { recursive: true, force: true });
});

describe('over HTTP', () => journey('http', async () => overHttp));

describe('over MCP, 2026-07-28', () => journey('mcp', overMcp));

const overHttp: Invoke = async (skill, input, correlationId) => {
  const headers = correlationId === undefined ? {} : { 'X-Correlation-Id': correlationId };
  const { text } = await server.ask(`/api/typed-skills/${skill}/invoke`, { headers, body: JSON.stringify(input) });
  const { success, output_payload: output, failure_code: failed } = JSON.parse(text);
  return success ? output : { failed };
};

async function overMcp(): Promise<Invoke> {
  const client = new Client({ name: 'journey', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.mcp_url), { requestInit }));
  return async (skill, input, correlationId) => {
    const _meta = correlationId === undefined ? {} : { 'repertoire/correlation_id': correlationId };
    const answer = await client.callTool({ name: skill, arguments: input, _meta });
    if (!answer.isError) return answer.structuredContent as Fields;
    const [first] = answer.content;
    return { failed: first?.type === 'text' ? (first.text.split(':')[0] ?? '') : 'no text' };
  };
}

test('the id of an answer over MCP finds the call in the log (X9)', async () => {
  const given = crypto.randomUUID();
  const headers = { Authorization: `Bearer ${server.token}`, 'X-Correlation-Id': given };
  const params = { name: 'task_sequencing', arguments: { tasks: [{ id: 'a' }] } };
  const answer = await askModern(new URL(server.mcp_url), 'tools/call', params, { headers });
  expect(answer.headers.get('x-correlation-id')).toBe(given);
  const { text } = await server.ask(`/api/invocations?correlation_id=${given}`);
  expect(JSON.parse(text).invocations).toMatchObject([{ skill_name: 'task_sequencing', status: 'completed' }]);
});

function journey(surface: string, open: () => Promise<Invoke>): void {
  test('a user, a token, three tasks, a routed request, a workflow, suggestions, and all of it in the log', async () => {
    const invoke = await open();
    const email = `ada.${surface}@example.com`;
    const password = 'correct horse battery';

    const { user_id } = await invoke('user_creation', { email, password, display_name: 'Ada' });
    expect(await invoke('credential_validation', { email, password })).toEqual({ valid: true, user_id });
    expect(await invoke('credential_validation', { email, password: 'wrong horse' })).toMatchObject({ valid: false });

    const { access_token, token_type } = await invoke('token_generation', { user_id, email, scopes: ['tasks'] });
    expect(token_type).toBe('Bearer');
    const checked = await invoke('token_validation', { token: access_token, required_scopes: ['tasks'] });
    expect(checked).toMatchObject({ valid: true, user_id, email, scopes: ['tasks'] });

    for (const title of ['Write the report', '  Call the printer ', 'Buy paper']) {
      expect(await invoke('task_creation', { user_id, title })).toMatchObject({ title: title.trim() });
    }
    const listed = await invoke('task_retrieval', { user_id, limit: 2 });
    expect(listed).toMatchObject({ total_count: 3, has_more: true });
    expect(await invoke('task_creation', { user_id, title: ' ' })).toEqual({ failed: 'VALIDATION_ERROR' });

    const routed = await invoke('request_routing', { request: 'please review my SQL migration' });
    expect(routed.matches).toMatchObject([{ name: 'sql-review', kind: 'document' }, {}, {}]);

    const correlationId = crypto.randomUUID();
    const steps = [
      { id: 'made', skill: 'task_creation', input: { user_id, title: 'Print it' } },
      {
        id: 'done',
        skill: 'task_update',
        input: { user_id, task_id: `\${steps.made.output.task_id}`, status: 'completed' },
      },
    ];
    const ran = await invoke('workflow_coordination', { steps }, correlationId);
    expect(JSON.stringify(ran)).toContain('"updated_fields":["status"]');

    const { suggestions, degraded } = await invoke('suggestion_generation', { user_id, count: 2 });
    expect({ count: (suggestions as readonly unknown[]).length, degraded }).toEqual({ count: 2, degraded: true });

    const { text } = await server.ask(`/api/invocations?correlation_id=${correlationId}`);
    const logged: readonly { skill_name: string; status: string }[] = JSON.parse(text).invocations;
    const seen = logged.map(({ skill_name, status }) => `${skill_name} ${status}`).sort();
    expect(seen).toEqual(['task_creation completed', 'task_update completed', 'workflow_coordination completed']);
    const everything = (await server.ask('/api/invocations?limit=1000')).text;
    for (const secret of [password, 'wrong horse', String(access_token)]) expect(everything).not.toContain(secret);
  });
}
