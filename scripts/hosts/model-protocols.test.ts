// Each protocol is read for what a host offers and what its tools gave, and told to call a tool, whole and as events.
import { describe, expect, test } from 'vitest';
import { findProtocol, type ModelProtocol, type RequestBody, type Said } from './model-protocols.ts';

const CALL: Said = { call: { name: 'x_skill' }, input: { name: 'tea' }, id: 'call_2' };

const get = (url: string): ModelProtocol => {
  const found = findProtocol(url);
  if (found === undefined) throw new Error(`no protocol for ${url}`);
  return found;
};

const requests: readonly { readonly url: string; readonly body: RequestBody }[] = [
  {
    url: '/v1/messages?beta=true',
    body: {
      stream: true,
      tools: [{ name: 'x_skill' }],
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'a bowl' }] }] },
        { role: 'user', content: [{ type: 'tool_result', content: 'a cup' }] },
      ],
    },
  },
  {
    url: '/v1/chat/completions',
    body: {
      tools: [{ type: 'function', function: { name: 'x_skill' } }],
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'tool', content: 'a bowl' },
        { role: 'tool', content: [{ type: 'text', text: 'a cup' }] },
      ],
    },
  },
  {
    url: '/v1/responses',
    body: {
      tools: [{ type: 'function', name: 'x_skill' }],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
        { type: 'function_call_output', output: 'a bowl' },
        { type: 'function_call_output', output: [{ type: 'input_text', text: 'a cup' }] },
      ],
    },
  },
  {
    url: '/v1beta/models/one:streamGenerateContent?alt=sse',
    body: {
      tools: [{ functionDeclarations: [{ name: 'x_skill' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        { role: 'user', parts: [{ functionResponse: { response: { output: 'a bowl' } } }] },
        { role: 'user', parts: [{ functionResponse: { response: { output: 'a cup' } } }] },
      ],
    },
  },
];

describe.each(requests)('$url', ({ url, body }) => {
  test('says which tools are offered, what people said, and what tools gave, in order', () => {
    const asked = get(url).parse(body);
    expect(asked.tools).toEqual([{ name: 'x_skill' }]);
    expect(asked.text).toContain('Hello');
    expect(asked.results).toHaveLength(2);
    expect(asked.results[0]).toContain('a bowl');
    expect(asked.results[1]).toContain('a cup');
  });

  test('calls a tool, and says a text, whole and as events', () => {
    const { whole, stream } = get(url);
    for (const answer of [JSON.stringify(whole(CALL)), stream(CALL).join('')]) {
      expect(answer).toContain('x_skill');
      expect(answer).toContain('tea');
    }
    expect(JSON.stringify(whole({ text: 'Spring.' }))).toContain('Spring.');
    expect(stream({ text: 'Spring.' }).join('')).toContain('Spring.');
    for (const event of stream(CALL)) expect(event).toMatch(/^(event: \S+\n)?data: .*\n\n$/);
  });

  test('has nothing to say of tools where there are none', () => {
    expect(get(url).parse({})).toEqual({ tools: [], text: '[]', results: [] });
  });
});

test('a group of tools is the namespace of its tools', () => {
  const body = { tools: [{ name: 'mcp__repertoire', tools: [{ name: 'skill' }] }] };
  expect(get('/v1/responses').parse(body).tools).toEqual([{ name: 'skill', namespace: 'mcp__repertoire' }]);
});

test('events are for those who ask for them: in the request, or in the address', () => {
  expect(get('/v1/messages').isStreamed({ stream: true }, '/v1/messages')).toBe(true);
  expect(get('/v1/chat/completions').isStreamed({}, '/v1/chat/completions')).toBe(false);
  expect(get('/m:streamGenerateContent').isStreamed({}, '/m:streamGenerateContent?alt=sse')).toBe(true);
  expect(get('/m:generateContent').isStreamed({}, '/m:generateContent')).toBe(false);
});

test.each(['/v1/models', '/v1/messages/count_tokens', '/'])('%s is no protocol', (url) => {
  expect(findProtocol(url)).toBeUndefined();
});
