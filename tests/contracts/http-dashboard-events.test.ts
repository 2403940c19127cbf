// What happens on a server, seen live: what runs, what is read, what changes; never what was sent in (H2, H5, F11).
import { expect, test } from 'vitest';
import type { Authentication } from '../../src/identity/authentication.ts';
import { agentCaller } from '../../src/identity/caller.ts';
import { type Dashboard, openDashboard, type TestCaller } from '../../src/surfaces/http/fixtures/open-dashboard.ts';
import { fail, ok } from '../../src/values/result.ts';

interface Event {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

test('invocations begin and end, without what went in or came out (H2)', async () => {
  const dashboard = await openDashboard();
  const stream = await follow(dashboard, 'reader');
  const secret = 'said in confidence';
  const answer = await dashboard.askJson('/api/typed-skills/echo/invoke', { body: { text: secret } });
  const { invocation_id: id, correlation_id: correlationId } = answer;
  await expect.poll(() => stream.events().length).toBe(2);
  const common = {
    id,
    skill_name: 'echo',
    correlation_id: correlationId,
    invoking_agent: 'local',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  expect(stream.events()).toEqual([
    { event: 'invocation', data: { ...common, status: 'running', duration_ms: null, failure_code: null } },
    {
      event: 'invocation',
      data: { ...common, status: 'completed', duration_ms: expect.any(Number), failure_code: null },
    },
  ]);
  expect(stream.text()).not.toContain(secret);
});

test('a failure has its code (H2)', async () => {
  const dashboard = await openDashboard();
  const stream = await follow(dashboard);
  await dashboard.ask('/api/typed-skills/echo/invoke', { body: { text: 7 } });
  await expect
    .poll(() => stream.events().at(-1)?.data)
    .toMatchObject({
      status: 'failed',
      failure_code: 'VALIDATION_ERROR',
    });
});

test('documents and files that are read and skills that change are told (D9)', async () => {
  const dashboard = await openDashboard();
  const stream = await follow(dashboard);
  await dashboard.ask('/api/documents/a');
  await expect
    .poll(stream.events)
    .toEqual([
      { event: 'load', data: { skill_name: 'a', client: 'local', surface: 'api', loaded_at: expect.any(String) } },
    ]);
  dashboard.world.skill('root/b');
  dashboard.world.write('root/b/notes.md', '# Notes');
  await dashboard.rescan();
  await expect
    .poll(() => stream.events().at(-1))
    .toEqual({
      event: 'catalog',
      data: { added: 1, changed: 0, removed: 0, documents: 2, problems: 0 },
    });
  await dashboard.ask('/api/documents/b/files/notes.md');
  await expect
    .poll(() => stream.events().at(-1))
    .toMatchObject({ event: 'load', data: { skill_name: 'b', path: 'notes.md', surface: 'api' } });
});

test('the hundred and first stream is asked to come again (F10)', async () => {
  const dashboard = await openDashboard();
  for (let count = 0; count < 100; count += 1) await follow(dashboard);
  const refused = await dashboard.ask('/api/events');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
});

test('a stream ends when the token that opened it is good no longer, and not because nobody can tell (H5, F1)', async () => {
  let found: Authentication = ok(agentCaller('reader', ['reader'], ['log:read']));
  let asked = 0;
  const authenticate = () => {
    asked += 1;
    return found;
  };
  const dashboard = await openDashboard({ server: { authenticate, limits: { recheckMs: 20 } } });
  const stream = await follow(dashboard, 'reader');
  found = fail('unavailable');
  const before = asked;
  await expect.poll(() => asked - before).toBeGreaterThan(3);
  found = ok(agentCaller('reader', ['reader'], ['log:read']));
  dashboard.world.skill('root/b');
  await dashboard.rescan();
  await expect.poll(() => stream.events().length).toBe(1);
  found = fail('bad');
  await stream.ended;
});

test('a server that stops ends its streams, and is not held up by them (F11)', async () => {
  // A server that waited for what is open would wait longer than this test may take.
  const dashboard = await openDashboard({ server: { limits: { graceMs: 3_600_000 } } });
  const stream = await follow(dashboard);
  await dashboard.server.close();
  await stream.ended;
});

async function follow({ ask }: Dashboard, as: TestCaller = 'operator') {
  const answer = await ask('/api/events', { as });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  let text = '';
  const decoder = new TextDecoder();
  const ended = (async () => {
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  return { text: () => text, events: () => eventsIn(text), ended };
}

const eventsIn = (text: string): readonly Event[] =>
  [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }));
