// Tests of the protocols with a handshake, as a client sees them.
import { describe, expect, test } from 'vitest';
import { modernMeta } from '../../../../tests/support/modern-meta.ts';
import { ClientOnPaper } from './fixtures/client-on-paper.ts';
import { sampleTable } from './fixtures/sample-table.ts';

describe('initialize', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('asked for %s answers %s', (requested, protocolVersion) => {
    const table = sampleTable();
    const result = {
      protocolVersion,
      capabilities: table.capabilities,
      serverInfo: table.info,
      instructions: 'Hello paper',
    };
    expect(new ClientOnPaper(table).greet(requested)).toEqual([{ jsonrpc: '2.0', id: 'hello', result }]);
  });

  test('takes a client that says nothing of itself', () => {
    const client = new ClientOnPaper(sampleTable());
    const [answer] = client.request(1, 'initialize', { protocolVersion: '2025-06-18' });
    expect(answer?.result).toMatchObject({ instructions: 'Hello unknown' });
  });

  test.each([
    {},
    { protocolVersion: 20250618 },
    { protocolVersion: '2025-06-18', capabilities: [] },
    { protocolVersion: '2025-06-18', clientInfo: 'me' },
    { protocolVersion: '2025-06-18', clientInfo: { version: '1' } },
  ])('refuses %j', (params) => {
    const client = new ClientOnPaper(sampleTable());
    expect(client.request(1, 'initialize', params)).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    expect(client.request(2, 'tools/list')).toMatchObject([{ id: 2, error: { code: -32600 } }]);
  });

  test('admits requests that were sent right behind it, while the instructions still take time', async () => {
    const table = { ...sampleTable(), instructions: async () => 'Later' };
    const client = new ClientOnPaper(table);
    client.greet();
    expect(client.request(1, 'tools/list')).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }]);
    await client.connection.idle();
    expect(client.sent.at(-1)).toMatchObject({ id: 'hello', result: { instructions: 'Later' } });
  });
});

describe('a legacy session', () => {
  test('begins with initialize: only ping is answered before', () => {
    const client = new ClientOnPaper(sampleTable());
    expect(client.request(1, 'ping')).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const message = 'Server not initialized: send initialize first';
    expect(client.request(2, 'tools/list')).toMatchObject([{ id: 2, error: { code: -32600, message } }]);
  });

  test('gets results without the fields of 2026', () => {
    const client = new ClientOnPaper(sampleTable());
    client.greet();
    const [listed] = client.request(1, 'tools/list');
    expect(Object.keys(listed?.result ?? {})).toEqual(['tools']);
    const content = [{ type: 'text', text: 'legacy: {}' }];
    expect(client.call(2, 'echo')).toEqual([{ jsonrpc: '2.0', id: 2, result: { content } }]);
  });

  test('goes on beside modern requests on the same connection', () => {
    const client = new ClientOnPaper(sampleTable());
    client.greet();
    expect(client.call(1, 'echo', {}, modernMeta())).toMatchObject([{ result: { resultType: 'complete' } }]);
    const [legacy] = client.call(2, 'echo');
    expect(legacy?.result).not.toHaveProperty('resultType');
  });

  test('hears of changes that were declared, once it is initialized', () => {
    const table = sampleTable();
    const client = new ClientOnPaper(table);
    client.notify('notifications/initialized');
    table.emit({ kind: 'tools' });
    expect(client.sent).toEqual([]);
    client.greet();
    table.emit({ kind: 'tools' });
    table.emit({ kind: 'prompts' });
    table.emit({ kind: 'resources' });
    const methods = client.sent.slice(1).map((message) => message.method);
    expect(methods).toEqual(['notifications/tools/list_changed', 'notifications/resources/list_changed']);
  });

  test('hears of single resources it subscribed to', () => {
    const table = sampleTable();
    const client = new ClientOnPaper(table);
    client.greet();
    expect(client.request(1, 'resources/subscribe', { uri: 'a://b' })).toMatchObject([{ id: 1, result: {} }]);
    expect(client.request(2, 'resources/subscribe', {})).toMatchObject([{ id: 2, error: { code: -32602 } }]);
    table.emit({ kind: 'resource', uri: 'a://b' });
    table.emit({ kind: 'resource', uri: 'a://c' });
    expect(client.sent.slice(3)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://b' } },
    ]);
    client.request(3, 'resources/unsubscribe', { uri: 'a://b' });
    table.emit({ kind: 'resource', uri: 'a://b' });
    expect(client.sent).toHaveLength(5);
  });

  test('cannot subscribe to resources of a server that did not declare it', () => {
    const client = new ClientOnPaper({ ...sampleTable(), capabilities: { resources: {} } });
    client.greet();
    expect(client.request(1, 'resources/subscribe', { uri: 'a://b' })).toMatchObject([{ error: { code: -32601 } }]);
  });
});

describe('a batch', () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

  test.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused on %s', (version) => {
    const client = new ClientOnPaper(sampleTable());
    client.greet(version);
    expect(client.say([ping(1)])).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  test('is answered in one line on 2025-03-26, when its last request is done', async () => {
    const client = new ClientOnPaper(sampleTable());
    client.greet('2025-03-26');
    const slow = { jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'after', arguments: { ms: 5 } } };
    const note = { jsonrpc: '2.0', method: 'notifications/whatever' };
    expect(client.say([slow, ping(1), note, 7, []])).toEqual([]);
    await client.connection.idle();
    expect(client.sent).toHaveLength(2);
    const answers = client.sent[1] as unknown as { id: unknown }[];
    expect(answers.map((answer) => answer.id)).toEqual([1, null, null, 'slow']);
  });

  test('of notifications only gets no answer, an empty or endless one an error', () => {
    const client = new ClientOnPaper(sampleTable());
    client.greet('2025-03-26');
    expect(client.say([{ jsonrpc: '2.0', method: 'notifications/whatever' }])).toEqual([]);
    expect(client.say([])).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(client.say(Array.from({ length: 1025 }, () => 7))).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  test('carries neither the handshake nor modern requests', () => {
    const client = new ClientOnPaper(sampleTable());
    client.greet('2025-03-26');
    const modern = { ...ping(1), method: 'tools/list', params: { _meta: modernMeta() } };
    const [answers] = client.say([modern, { ...ping(2), method: 'initialize' }]);
    expect(answers).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 2, error: { code: -32600 } },
    ]);
  });

  test('whose requests are all cancelled gets no answer', () => {
    const client = new ClientOnPaper(sampleTable());
    client.greet('2025-03-26');
    client.say([{ jsonrpc: '2.0', id: 'w', method: 'tools/call', params: { name: 'wait' } }]);
    client.notify('notifications/cancelled', { requestId: 'w' });
    expect(client.sent).toHaveLength(1);
  });
});
