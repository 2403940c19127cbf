// Tests of subscriptions/listen.
import { describe, expect, test } from 'vitest';
import { sampleTable } from './fixtures/sample-table.ts';
import { MAX_SUBSCRIPTIONS, parseListenFilter, Subscriptions } from './subscriptions.ts';

const tag = (id: string | number) => ({ 'io.modelcontextprotocol/subscriptionId': id });
const table = sampleTable();

function opened(subscriptions: Subscriptions, id: string | number, notifications: unknown): unknown[] {
  const result = subscriptions.open(id, { notifications });
  if (!result.ok) return [result.failure];
  return result.value.map((line) => JSON.parse(line));
}

describe('parseListenFilter()', () => {
  test('honours only what the capabilities declare and the client wants', () => {
    const requested = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['a://b'],
    };
    const honoured = { toolsListChanged: true, resourceSubscriptions: ['a://b'] };
    expect(parseListenFilter(requested, table.capabilities)).toEqual({ ok: true, value: honoured });
    expect(parseListenFilter(requested, {})).toEqual({ ok: true, value: {} });
  });

  test.each([
    undefined,
    null,
    [],
    'all',
    { toolsListChanged: 1 },
    { resourcesListChanged: 'yes' },
    { resourceSubscriptions: 'a://b' },
    { resourceSubscriptions: null },
    { resourceSubscriptions: [1] },
  ])('refuses the filter %j', (filter) => {
    expect(parseListenFilter(filter, table.capabilities)).toMatchObject({ ok: false, failure: { code: -32602 } });
  });
});

describe('Subscriptions', () => {
  test('acknowledges, then tags each notification that was asked for', () => {
    const subscriptions = new Subscriptions(table);
    const filter = { resourcesListChanged: true, resourceSubscriptions: ['a://b'] };
    const params = { notifications: filter, _meta: tag(7) };
    expect(opened(subscriptions, 7, filter)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params },
    ]);
    expect(subscriptions.linesFor({ kind: 'tools' })).toEqual([]);
    expect(subscriptions.linesFor({ kind: 'resource', uri: 'a://c' })).toEqual([]);
    const update = subscriptions.linesFor({ kind: 'resource', uri: 'a://b' }).map((line) => JSON.parse(line));
    expect(update).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://b', _meta: tag(7) } },
    ]);
    const changed = subscriptions.linesFor({ kind: 'resources' }).map((line) => JSON.parse(line));
    expect(changed).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: { _meta: tag(7) } },
    ]);
  });

  test('completes at once when nothing can be honoured', () => {
    const subscriptions = new Subscriptions(table);
    const [acknowledged, result] = opened(subscriptions, 'x', { promptsListChanged: true });
    expect(acknowledged).toMatchObject({ params: { notifications: {} } });
    expect(result).toMatchObject({ id: 'x', result: { resultType: 'complete', _meta: tag('x') } });
    expect(subscriptions.has('x')).toBe(false);
  });

  test('says nothing more after a cancellation, and a last result when the server stops', () => {
    const subscriptions = new Subscriptions(table);
    opened(subscriptions, 'gone', { toolsListChanged: true });
    opened(subscriptions, 'stays', { toolsListChanged: true });
    expect(subscriptions.cancel('gone')).toBe(true);
    expect(subscriptions.cancel('gone')).toBe(false);
    expect(subscriptions.linesFor({ kind: 'tools' })).toHaveLength(1);
    const _meta = { ...tag('stays'), 'io.modelcontextprotocol/serverInfo': table.info };
    const last = subscriptions.close().map((line) => JSON.parse(line));
    expect(last).toEqual([{ jsonrpc: '2.0', id: 'stays', result: { resultType: 'complete', _meta } }]);
    expect(subscriptions.linesFor({ kind: 'tools' })).toEqual([]);
  });

  test('refuses more than the limit', () => {
    const subscriptions = new Subscriptions(table);
    for (let id = 0; id < MAX_SUBSCRIPTIONS; id += 1) opened(subscriptions, id, { toolsListChanged: true });
    expect(opened(subscriptions, 'more', { toolsListChanged: true })).toMatchObject([{ code: -32603 }]);
  });
});
