// The AI endpoint fails in every way it can: an answer all the same, and not a word of the key (B3, F13).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAiModel } from '../../../src/builtin/ai/ai-model.ts';
import { suggestionGeneration } from '../../../src/builtin/ai/suggestion-generation.ts';
import { createRuntime, type Runtime } from '../../../src/skills/run/runtime.ts';
import {
  AI_KEY,
  type AiReply,
  type AiServer,
  breaksOff,
  drips,
  fails,
  floods,
  hangs,
  hangsAfterHead,
  openAiServer,
  redirects,
  says,
  sends,
} from '../../support/ai-server.ts';
import { NOW, openPlanning, type Planning } from './planning-world.ts';

/** For an endpoint that answers nothing: what ends the wait is this, long before the limit of the skill does. */
const SHORT_MS = 500;
/** Longer than a skill may take: no endpoint that answers at all is ever too slow for it. */
const LONG_MS = 3_600_000;
const GOOD = says({ suggestions: [{ title: 'Call Ada', priority: 1, confidence: 1 }] });

let server: AiServer;
let planning: Planning;
let runtime: Runtime;
let lines: object[];
let clock: { ms: number };
let user_id: string;
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);

beforeEach(async () => {
  process.on('unhandledRejection', note);
  server = await openAiServer();
  planning = openPlanning();
  user_id = await planning.createUser();
  await planning.createTask(user_id, { title: 'Pay rent' });
  open(server.endpoint);
});
afterEach(async () => {
  await runtime.close();
  await planning.runtime.close();
  await server.close();
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

function open(endpoint: AiServer['endpoint'], limitMs = LONG_MS) {
  lines = [];
  clock = { ms: 0 };
  const model = createAiModel({ endpoint, monotonicMs: () => clock.ms, random: () => 0, limitMs });
  runtime = createRuntime({
    skills: [suggestionGeneration({ tasks: planning.tasks, model, now: () => NOW })],
    log: (line) => lines.push(line),
  });
}

const suggest = (signal?: AbortSignal) =>
  runtime.invoke({ name: 'suggestion_generation', input: { user_id, count: 1 }, signal });

const DEGRADED = {
  success: true,
  outputPayload: { degraded: true, suggestions: [{ title: 'Begin with "Pay rent"' }] },
};
const reasons = () => lines.map((line) => (line as { message: string }).message);

describe.each<[string, AiReply, requests: number, reason: string]>([
  ['answers 500', fails(500), 2, 'it answered with the status 500'],
  ['answers 503', fails(503), 2, 'it answered with the status 503'],
  ['answers 429', fails(429), 2, 'it answered with the status 429'],
  ['answers 401', fails(401), 1, 'it answered with the status 401'],
  ['answers 404', fails(404), 1, 'it answered with the status 404'],
  ['breaks off', breaksOff, 2, 'it cannot be reached, or broke off'],
  ['sends 50 MB', floods(50), 1, 'its answer is larger than 1 MB'],
  ['sends no JSON', sends('<html>'), 1, 'its answer is no chat completion'],
  ['sends other JSON', sends('{"choices":[]}'), 1, 'its answer is no chat completion'],
  ['has nothing to say', sends('{"choices":[{"message":{"content":null}}]}'), 1, 'its answer is no chat completion'],
  ['says no JSON', says('Sure! I would call Ada.'), 1, 'its answer is not what was asked for'],
  ['says other JSON', says({ tasks: [] }), 1, 'its answer is not what was asked for'],
  ['says a bad suggestion', says({ suggestions: [{ title: '' }] }), 1, 'its answer is not what was asked for'],
  ['says deep JSON', says(`{"suggestions":${'['.repeat(50_000)}${']'.repeat(50_000)}}`), 1, 'its answer is not'],
])('an endpoint that %s', (_what, reply, requests, reason) => {
  test('gives a degraded answer, and a line that says why (F13)', async () => {
    server.reply(reply);
    const answer = await suggest();
    expect(answer).toMatchObject(DEGRADED);
    expect(server.asked).toHaveLength(requests);
    expect(reasons()).toEqual([expect.stringContaining(`Cannot use the AI endpoint: ${reason}`)]);
    expect(JSON.stringify([answer, lines])).not.toContain(AI_KEY);
  });
});

test.each<[string, AiReply]>([
  ['hangs', hangs],
  ['hangs after the head', hangsAfterHead],
  ['drips', drips],
])('an endpoint that %s is waited for no longer than its limit: a degraded answer (F13)', async (_what, reply) => {
  await runtime.close();
  open(server.endpoint, SHORT_MS);
  server.reply(reply);
  expect(await suggest()).toMatchObject(DEGRADED);
  expect(reasons()).toEqual([expect.stringContaining('Cannot use the AI endpoint: it took too long')]);
  // Not once more, however early the limit came.
  expect(server.asked.length).toBeLessThanOrEqual(1);
});

test('an endpoint that says its key again gets it into no answer and no log (B3, B2)', async () => {
  const encoded = Buffer.from(AI_KEY).toString('base64url');
  const text = `Use ${AI_KEY}, or ${encoded}, Basic understanding helps`;
  server.reply(says({ suggestions: [{ title: text, description: `key: ${AI_KEY}`, priority: 1, confidence: 1 }] }));
  const answer = await suggest();
  expect(answer).toMatchObject({
    outputPayload: {
      degraded: false,
      suggestions: [
        { title: 'Use [redacted], or [redacted], Basic understanding helps', description: 'key: [redacted]' },
      ],
    },
  });
  expect(JSON.stringify([answer, lines])).not.toContain(AI_KEY);
});

test('50 MB are not read: the connection is dropped soon after the first (F13)', async () => {
  const flood = floods(50);
  server.reply(flood);
  await suggest();
  expect(flood.sent).toBeLessThan(20);
});

test.each<[string, AiReply]>([
  ['500', fails(500)],
  ['429', fails(429)],
  ['a connection that breaks off', breaksOff],
])('%s is tried once more, and that may succeed (B3)', async (_what, first) => {
  server.reply(first, GOOD);
  expect(await suggest()).toMatchObject({ outputPayload: { degraded: false } });
  expect(server.asked).toHaveLength(2);
});

test('a redirect is not followed: the key goes nowhere else (B3)', async () => {
  const elsewhere = await openAiServer();
  server.reply(redirects(`${elsewhere.endpoint.baseUrl}/chat/completions`));
  expect(await suggest()).toMatchObject(DEGRADED);
  expect(elsewhere.asked).toEqual([]);
  await elsewhere.close();
});

test.each([
  ['nobody listens', { baseUrl: 'http://127.0.0.1:1/v1' }],
  ['the address is none', { baseUrl: 'not an address' }],
  ['the address has a password', { baseUrl: `http://operator:${AI_KEY}@127.0.0.1:1/v1` }],
  ['the key is no header', { key: `${AI_KEY}\n${AI_KEY}` }],
])('a degraded answer without the key also where %s (B3)', async (_what, wrong) => {
  await runtime.close();
  open({ ...server.endpoint, ...wrong });
  const answer = await suggest();
  expect(answer).toMatchObject(DEGRADED);
  expect(JSON.stringify([answer, lines])).not.toContain(AI_KEY);
});

test('without a key none is sent', async () => {
  await runtime.close();
  open({ ...server.endpoint, key: undefined, baseUrl: `${server.endpoint.baseUrl}/` });
  server.reply(GOOD);
  expect(await suggest()).toMatchObject({ outputPayload: { degraded: false } });
  expect(server.asked[0]).toMatchObject({ url: '/v1/chat/completions' });
  expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
});

test('after five failures in a row the endpoint is left alone for 30 seconds, then tried again (B3)', async () => {
  server.reply(fails(400));
  for (let n = 0; n < 7; n++) expect(await suggest()).toMatchObject(DEGRADED);
  expect(server.asked).toHaveLength(5);
  expect(reasons().at(-1)).toContain('left alone');
  clock.ms += 29_999;
  await suggest();
  expect(server.asked).toHaveLength(5);
  clock.ms += 1;
  server.reply(GOOD);
  expect(await suggest()).toMatchObject({ outputPayload: { degraded: false } });
  expect(await suggest()).toMatchObject({ outputPayload: { degraded: false } });
});

test('nonsense counts as a failure, too (B3)', async () => {
  server.reply(says('nonsense'));
  for (let n = 0; n < 6; n++) await suggest();
  expect(server.asked).toHaveLength(5);
});

test('a caller who goes away is no failure of the endpoint', async () => {
  for (let n = 0; n < 6; n++) {
    const client = new AbortController();
    server.reply(() => client.abort());
    expect(await suggest(client.signal)).toMatchObject({ failure: { details: { cancelled: true } } });
  }
  server.reply(GOOD);
  expect(await suggest()).toMatchObject({ outputPayload: { degraded: false } });
});

test('a hundred at once, half of them answered badly: each gets its answer', async () => {
  let turn = 0;
  server.reply((response) => {
    turn += 1;
    (turn % 2 === 0 ? GOOD : says('nonsense'))(response);
  });
  const answers = await Promise.all(Array.from({ length: 100 }, () => suggest()));
  expect(answers.every(({ success }) => success)).toBe(true);
});
