// Tests of protocol 2026-07-28, as a client sees it.
import { describe, expect, test } from 'vitest';
import { modernMeta } from '../../../../tests/support/modern-meta.ts';
import { ClientOnPaper } from './fixtures/client-on-paper.ts';
import { sampleTable } from './fixtures/sample-table.ts';
import { type Method, PreparedResult } from './method.ts';

const serverInfo = { name: 'sample', title: 'Sample', version: '1.2.3' };
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };

describe('a modern request', () => {
  test('discovers the server', () => {
    const table = sampleTable();
    const client = new ClientOnPaper(table);
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: table.capabilities,
      instructions: 'Hello contract-tests',
      ttlMs: 0,
      cacheScope: 'private',
      _meta,
    };
    expect(client.request(1, 'server/discover', { _meta: modernMeta() })).toEqual([{ jsonrpc: '2.0', id: 1, result }]);
  });

  test('may come without the name of the client, and waits for instructions that take time', async () => {
    const table = { ...sampleTable(), instructions: async (client: { name: string }) => `Later, ${client.name}` };
    const client = new ClientOnPaper(table);
    const anonymous = modernMeta({ 'io.modelcontextprotocol/clientInfo': undefined });
    client.request(1, 'server/discover', { _meta: anonymous });
    await client.connection.idle();
    expect(client.sent).toMatchObject([{ id: 1, result: { instructions: 'Later, unknown' } }]);
  });

  test('gets what was prepared dressed for its method, however often it is asked for', () => {
    const prepared = new PreparedResult(Buffer.from('{"text":"é"}'));
    const answer: Method = () => ({ ok: true, value: prepared });
    const methods = new Map([
      ['tools/list', answer],
      ['tools/call', answer],
    ]);
    const client = new ClientOnPaper({ ...sampleTable(), methods });
    const dressed = { resultType: 'complete', text: 'é', _meta };
    for (const id of [1, 'zwei €', 3]) {
      const listed = { ...dressed, ttlMs: 5000, cacheScope: 'public' };
      expect(client.request(id, 'tools/list', { _meta: modernMeta() })).toEqual([
        { jsonrpc: '2.0', id, result: listed },
      ]);
      expect(client.call(id, 'any', {}, modernMeta())).toEqual([{ jsonrpc: '2.0', id, result: dressed }]);
    }
  });

  test('gets results with a type, and cache hints where results may be cached', () => {
    const client = new ClientOnPaper(sampleTable());
    const [listed] = client.request(1, 'tools/list', { _meta: modernMeta() });
    expect(listed?.result).toMatchObject({ resultType: 'complete', ttlMs: 5000, cacheScope: 'public', _meta });
    const [read] = client.request(2, 'resources/read', { uri: 'a://b', _meta: modernMeta() });
    expect(read?.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const [called] = client.call(3, 'echo', { a: 1 }, modernMeta());
    const content = [{ type: 'text', text: 'modern: {"a":1}' }];
    expect(called?.result).toEqual({ resultType: 'complete', content, _meta });
  });

  test.each([
    ['io.modelcontextprotocol/protocolVersion', 7],
    ['io.modelcontextprotocol/protocolVersion', null],
    ['io.modelcontextprotocol/clientCapabilities', undefined],
    ['io.modelcontextprotocol/clientCapabilities', []],
    ['io.modelcontextprotocol/clientInfo', 'me'],
    ['io.modelcontextprotocol/clientInfo', { name: 'me' }],
  ])('with %s = %j is refused by the name of that key', (key, value) => {
    const client = new ClientOnPaper(sampleTable());
    const [answer] = client.request(1, 'tools/list', { _meta: modernMeta({ [key]: value }) });
    expect(answer?.error).toMatchObject({ code: -32602, message: expect.stringContaining(key) });
  });

  test('of another version is refused every time, also on a connection that was served before', () => {
    const client = new ClientOnPaper(sampleTable());
    const future = modernMeta({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' });
    client.greet();
    for (const id of [1, 2]) {
      client.request('fine', 'tools/list', { _meta: modernMeta() });
      const [answer] = client.request(id, 'tools/list', { _meta: future });
      const data = { supported: ['2026-07-28'], requested: '2099-01-01' };
      expect(answer).toMatchObject({ id, error: { code: -32022, data } });
    }
  });

  test.each(['initialize', 'ping', 'resources/subscribe', 'constructor'])('knows no method %s', (method) => {
    const client = new ClientOnPaper(sampleTable());
    expect(client.request(1, method, { _meta: modernMeta() })).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  });

  test.each(['server/discover', 'subscriptions/listen'])(
    '%s without the claim is told which key is missing',
    (method) => {
      const client = new ClientOnPaper(sampleTable());
      const refused = { code: -32602, message: expect.stringContaining('io.modelcontextprotocol/protocolVersion') };
      expect(client.request(1, method)).toMatchObject([{ id: 1, error: refused }]);
      client.greet();
      expect(client.request(2, method, { _meta: {} })).toMatchObject([{ id: 2, error: refused }]);
    },
  );

  test('hears of changes only through the subscriptions it opened', () => {
    const table = sampleTable();
    const client = new ClientOnPaper(table);
    table.emit({ kind: 'tools' });
    expect(client.sent).toEqual([]);
    client.request('sub', 'subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: modernMeta() });
    table.emit({ kind: 'tools' });
    table.emit({ kind: 'resources' });
    const tagged = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } };
    expect(client.sent.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: tagged },
    ]);
    client.notify('notifications/cancelled', { requestId: 'sub' });
    table.emit({ kind: 'tools' });
    expect(client.sent).toHaveLength(2);
  });

  test('cannot reuse the id of an open subscription', () => {
    const client = new ClientOnPaper(sampleTable());
    const params = { notifications: { toolsListChanged: true }, _meta: modernMeta() };
    client.request('sub', 'subscriptions/listen', params);
    expect(client.request('sub', 'tools/list', { _meta: modernMeta() })).toMatchObject([{ error: { code: -32600 } }]);
    const bad = client.request('bad', 'subscriptions/listen', { _meta: modernMeta() });
    expect(bad).toMatchObject([{ id: 'bad', error: { code: -32602 } }]);
  });
});
