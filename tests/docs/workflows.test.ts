// Follows docs/workflows.md as a reader would; then runs its workflows over HTTP, by an agent with the roles that the page
// names, without a language model and with a server that stands in for one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../src/server.ts';
import { type AiServer, fails, openAiServer, says } from '../support/ai-server.ts';
import { readAllBlocks, readPage } from '../support/doc-blocks.ts';
import { startServeProcess } from '../support/serve-process.ts';
import { createShellWorld, linesOf } from '../support/shell-world.ts';

const PAGE = 'docs/workflows.md';
const blocks = readAllBlocks().filter(({ page }) => page === PAGE);
const textsIn = (wanted: string) => blocks.flatMap(({ language, text }) => (language === wanted ? [text] : []));
const [goalWorkflow = '', routedWorkflow = ''] = textsIn('json');
const lines = textsIn('sh').flatMap(linesOf);
const [, serveWords = ''] = /^repertoire serve (.*)$/m.exec(lines.join('\n')) ?? [];
const [, root = ''] = /--root (\S+)/.exec(serveWords) ?? [];
const [, name = '', roleWords = ''] = /agent add (\S+)([^)\n]*)/.exec(lines.join('\n')) ?? [];
const roles = [...roleWords.matchAll(/--role (\S+)/g)].map(([, role = '']) => role);

const AI = ['REPERTOIRE_AI_BASE_URL', 'REPERTOIRE_AI_MODEL', 'REPERTOIRE_AI_KEY'] as const;

type Json = Record<string, unknown>;

test('the page, followed from top to bottom, saves its files, makes its user and ends with their tasks (B4, C)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'repertoire-workflows-page-'));
  const environment = { HOME: home, PATH: process.env.PATH ?? '' };
  const server = await startServeProcess(serveWords.split(' '), environment);
  const world = createShellWorld({ ...server, home });
  try {
    for (const [file, text] of savedFiles()) world.save(file, text);
    const ran = await world.run(lines.filter((line) => !line.startsWith('repertoire serve')).join('\n'));
    for (const { line, code, stdout, stderr } of ran) expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
    const answers = ran.filter(({ line }) => line.includes('workflow_coordination')).map(({ stdout }) => stdout);
    const [overHttp, again, routed] = answers.map((text) => JSON.parse(text));
    const { outputs } = overHttp.output_payload;
    const titles = outputs.plan.steps.map(({ title }: Json) => title);
    expect(titles).toHaveLength(5);
    expect(outputs.tasks.map(({ title }: Json) => title)).toEqual(titles);
    // The same skills, so the same plan; what is open is not made twice.
    expect(again.outputs.plan.steps.map(({ title }: Json) => title)).toEqual(titles);
    expect(again.outputs).toMatchObject({ tasks: [], list: { total_count: titles.length } });
    expect(routed.outputs.run.title).toBe('Call the customers');
  } finally {
    world.remove();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

/** Each under the name that the sentence before it says. */
function savedFiles(): readonly (readonly [file: string, text: string])[] {
  const found = readPage(PAGE).matchAll(/[Ss]ave (?:this|it) as `([^`]+)`:\n\n```json\n([\s\S]*?)```/g);
  return [...found].map(([, file = '', text = '']) => [file, text]);
}

let ai: AiServer;
beforeAll(async () => {
  ai = await openAiServer();
});
afterAll(() => ai.close());

describe.each([
  ['without a language model', false],
  ['with a language model', true],
])('%s', (_how, hasModel) => {
  let folder = '';
  let server: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'repertoire-workflows-'));
    const { baseUrl, model, key } = ai.endpoint;
    const set = hasModel ? [baseUrl, model, key ?? ''] : ['', '', ''];
    const before = AI.map((variable) => process.env[variable]);
    for (const [index, variable] of AI.entries()) setVariable(variable, set[index] || undefined);
    server = await startServer({ roots: [root], data: join(folder, 'data'), port: 0 });
    for (const [index, variable] of AI.entries()) setVariable(variable, before[index]);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const post = async (path: string, body: unknown, token: string | undefined): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
    return (await answer.json()) as Json;
  };
  const invoke = (skill: string, input: unknown, token = server.operatorToken) =>
    post(`/api/typed-skills/${skill}/invoke`, input, token);
  const addAgent = async (as: string, theirs: readonly string[]) =>
    String((await post('/api/agents', { name: as, roles: theirs }, server.operatorToken)).token);
  const addUser = async (email: string) => {
    const { output_payload } = await invoke('user_creation', { email, password: 'correct horse battery' });
    return String((output_payload as Json).user_id);
  };
  const forUser = (text: string, user: string): Json => JSON.parse(text.replaceAll('USER_ID', user));

  const MODEL_STEPS = [
    { title: 'Draft the notes', description: null, priority: 2, depends_on: [] },
    { title: 'Ask a colleague to read them', description: 'Two days are enough.', priority: 3, depends_on: [0] },
    { title: 'Tell the customers', description: null, priority: 5, depends_on: [0, 1] },
  ];

  test('one workflow turns the goal into ordered tasks, for an agent with the roles of its steps (B4, M4, M5)', async () => {
    ai.reply(says({ steps: MODEL_STEPS }));
    expect(roles).toEqual(['OrchestratorAgent', 'PlannerAgent', 'TaskAgent']);
    const token = await addAgent(name, roles);
    const user = await addUser('ada@example.org');
    const answer = await invoke('workflow_coordination', forUser(goalWorkflow, user), token);
    expect(answer.failure_message).toBeNull();
    const { outputs, skipped } = answer.output_payload as { outputs: Record<string, Json>; skipped: unknown };
    expect(skipped).toEqual([]);
    const planned = outputs.plan?.steps as readonly Json[];
    const listed = outputs.list?.tasks as readonly Json[];
    expect(outputs.plan?.degraded).toBe(!hasModel);
    const titles = planned.map(({ title }) => title);
    expect(listed.map(({ title }) => title)).toEqual(titles);
    if (hasModel) expect(titles).toEqual(MODEL_STEPS.map(({ title }) => title));
    else {
      expect(titles).toHaveLength(5);
      expect(titles.at(-1)).toBe('tell the customers');
      expect(new Set(planned.slice(0, 4).map(({ skill_name }) => skill_name))).toEqual(new Set(['release-notes']));
    }
    // Again: what is open is not made twice.
    const again = await invoke('workflow_coordination', forUser(goalWorkflow, user), token);
    expect(again.failure_message).toBeNull();
    expect(again.output_payload).toMatchObject({ outputs: { tasks: [], list: { total_count: titles.length } } });
  });

  test('without one of the roles the step, its skill and the role that would do are named (X5, X10, M4)', async () => {
    ai.reply(fails(400));
    const token = await addAgent('half-lead', ['OrchestratorAgent', 'PlannerAgent']);
    const user = await addUser('bob@example.org');
    const answer = await invoke('workflow_coordination', forUser(goalWorkflow, user), token);
    expect(answer).toMatchObject({
      failure_code: 'UNAUTHORIZED',
      failure_message: expect.stringMatching(/^Access denied: step tasks \(task_creation\), item 1: .*TaskAgent/),
      failure_details: { completed_steps: ['plan', 'order'] },
    });
    const { output_payload } = await invoke('task_retrieval', { user_id: user });
    expect(output_payload).toMatchObject({ total_count: 0 });
  });

  test('a step runs the skill that request_routing chose, or is skipped (B4, M5, X10)', async () => {
    const user = await addUser('carl@example.org');
    const lead = await addAgent('router', roles);
    expect(await invoke('workflow_coordination', forUser(routedWorkflow, user), lead)).toMatchObject({
      output_payload: { outputs: { run: { title: 'Call the customers' } }, skipped: [] },
    });
    const alone = await addAgent('lonely-router', ['OrchestratorAgent']);
    const { output_payload } = await invoke('workflow_coordination', forUser(routedWorkflow, user), alone);
    expect((output_payload as Json | null)?.outputs ?? {}).not.toHaveProperty('run.task_id');
  });
});

function setVariable(variable: string, value: string | undefined): void {
  if (value === undefined) delete process.env[variable];
  else process.env[variable] = value;
}
