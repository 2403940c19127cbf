// How much, and of what kind: bodies that are too large, too deep or not JSON, and callers that ask too often.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessWorld, type Answer, expectFailure, initialize, leaksIn } from './access-world.ts';

const world = new AccessWorld();
const MEGABYTE = 1_048_576;

const bodies = {
  '/api/typed-skills/task_sequencing/invoke': { tasks: [{ id: 'a' }] },
  '/api/openai/dispatch': { id: 'call_1', type: 'function', function: { name: 'list_skills', arguments: '{}' } },
  '/mcp': initialize,
};

beforeAll(async () => {
  await world.start();
});

afterAll(() => world.end());

const accept = 'application/json, text/event-stream';

/** As the operator: whoever may do everything is refused all the same. */
const ask = (path: string, body: unknown, headers: Record<string, string | undefined> = {}) =>
  world.ask(path, { token: world.operator, body, headers: { accept, ...headers } });

/** In the shape of the API, or in that of JSON-RPC for /mcp. */
function expectRefused(path: string, answer: Answer, status: number): void {
  expect([path, answer.status]).toEqual([path, status]);
  if (path !== '/mcp') expectFailure(answer, status, 'VALIDATION_ERROR');
  else expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
}

describe.each(Object.entries(bodies))('the body of POST %s', (path, good) => {
  test('has to say that it is JSON (H3)', async () => {
    const types = [undefined, '', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const near = ['text/json', 'application/jsonp', 'text/plain; application/json', 'application/json-patch+json'];
    for (const type of [...types, ...near]) {
      const answer = await ask(path, good, { 'content-type': type });
      expect([type, answer.status]).toEqual([type, 415]);
      expectRefused(path, answer, 415);
    }
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
      expect([type, (await ask(path, good, { 'content-type': type })).status]).toEqual([type, 200]);
  });

  test('has at most 1 MB, announced or not (H3)', async () => {
    const json = JSON.stringify(good);
    expect((await ask(path, json.padEnd(MEGABYTE))).status).toBe(200);
    expectRefused(path, await ask(path, json.padEnd(MEGABYTE + 1)), 413);
    expectRefused(path, await ask(path, json.padEnd(MEGABYTE + 1), { 'transfer-encoding': 'chunked' }), 413);
  });

  test('is refused when it is broken, too deep or not UTF-8, and the server lives on (H3)', async () => {
    for (const [kind, body] of Object.entries(brokenBodies()))
      expect([kind, isToldWhatIsWrong(path, await ask(path, body))]).toEqual([kind, true]);
    expect((await world.ask('/health')).status).toBe(200);
  });
});

test('a refused body is answered without a word about the server, by nothing above 4xx (H3, T9)', () => {
  const failed = world.answers.filter(({ answer }) => answer.status >= 400);
  expect(failed.length).toBeGreaterThan(40);
  const telling = failed.filter(({ answer }) => leaksIn(answer.text).length > 0 || answer.status >= 500);
  expect(telling.map(({ asked, answer }) => [asked, answer.text])).toEqual([]);
});

describe('the rate limit', () => {
  const burst = (ask: () => Promise<Answer>) => Promise.all(Array.from({ length: 100 }, ask));
  const isRefused = ({ status }: Answer) => status === 429;

  /** Asks faster than a minute gives back, until it is too often. */
  async function untilRefused(ask: () => Promise<Answer>): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    while (!answers.some(isRefused)) answers.push(...(await burst(ask)));
    return answers;
  }

  test('is 600 per minute for an agent, with Retry-After, on every surface (H3, H5)', async () => {
    const [busy, other] = await Promise.all([world.addAgent('busy'), world.addAgent('other')]);
    const started = performance.now();
    const answers = await untilRefused(() => world.ask('/api/problems', { token: busy }));
    // Ten for each second, however many those were: it holds on a machine of any speed.
    const givenBack = Math.ceil((performance.now() - started) / 100) + 1;
    const good = answers.filter(({ status }) => status === 200).length;
    expect(good).toBeGreaterThanOrEqual(600);
    expect(good).toBeLessThanOrEqual(600 + givenBack);
    for (const [path, body] of [
      ['/api/typed-skills', undefined],
      ['/mcp', initialize],
    ] as const) {
      const asked = await untilRefused(() => world.ask(path, { token: busy, ...(body && { body }) }));
      for (const answer of asked.filter(isRefused)) expectToldToWait(path, answer);
    }
    expect((await world.ask('/api/problems', { token: other })).status).toBe(200);
    expect((await world.ask('/health', { token: busy })).status).toBe(200);
  });

  test('does not hold for the operator (H5)', async () => {
    for (let round = 0; round < 8; round += 1) {
      const answers = await burst(() => world.ask('/api/problems', { token: world.operator }));
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses]).toEqual([200]);
    }
  });
});

function expectToldToWait(path: string, answer: Answer): void {
  if (path !== '/mcp') expectFailure(answer, 429, 'RATE_EXCEEDED');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
}

function isToldWhatIsWrong(path: string, { status, json }: Answer): boolean {
  if (path === '/mcp') return status === 400 && json.error !== undefined;
  // What is JSON but no tool call is told to the model (T11).
  if (path === '/api/openai/dispatch' && status === 200) return 'error' in JSON.parse(String(json.content));
  return status === 400 && json.failure_code === 'VALIDATION_ERROR';
}

function brokenBodies(): Record<string, string | Buffer> {
  const deep = 100_000;
  return {
    'not JSON': 'no json',
    'half of it': '{"tasks": [',
    'two of it': '{}{}',
    'deep lists': '['.repeat(deep) + ']'.repeat(deep),
    'deep objects': `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    'deep inside a field': `{"tasks":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    'not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    'a number': '1',
    nothing: ' ',
  };
}
