// Tests of one client's connection: concurrency, cancellation, progress, faults, and any input at all.
import { describe, expect, test } from 'vitest';
import { modernMeta } from '../../../../tests/support/modern-meta.ts';
import fc from '../../../../tests/support/property.ts';
import { ClientOnPaper } from './fixtures/client-on-paper.ts';
import { sampleTable } from './fixtures/sample-table.ts';
import type { Method } from './method.ts';

function greeted(table = sampleTable()): ClientOnPaper {
  const client = new ClientOnPaper(table);
  client.greet();
  client.sent.length = 0;
  return client;
}

describe('requests', () => {
  test('run side by side and are answered as they finish', async () => {
    const table = sampleTable();
    const client = greeted(table);
    client.call(1, 'hold');
    client.call(2, 'after', { ms: 1 });
    client.call(3, 'echo');
    const ids = () => client.sent.map((answer) => answer.id);
    await expect.poll(ids).toEqual([3, 2]);
    table.release();
    await client.connection.idle();
    expect(ids()).toEqual([3, 2, 1]);
  });

  test('with an id that is still in use are refused; the text "1" is not the number 1', async () => {
    const client = greeted();
    client.call(1, 'after', { ms: 5 });
    expect(client.call(1, 'echo')).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    expect(client.call('1', 'echo')).toMatchObject([{ id: '1', result: {} }]);
    await client.connection.idle();
    expect(client.call(1, 'echo')).toMatchObject([{ id: 1, result: {} }]);
  });

  test('for an unknown method get -32601, with the beginning of its name', () => {
    const client = greeted();
    const [answer] = client.request(1, 'x'.repeat(5_000_000));
    expect(answer?.error?.code).toBe(-32601);
    expect(answer?.error?.message.length).toBeLessThan(150);
    expect(client.request(2, '__proto__')).toMatchObject([{ id: 2, error: { code: -32601 } }]);
  });

  test.each(['throw', 'reject', 'cycle'])(
    'whose tool fails by %s learn nothing but that; the log gets the error (T9)',
    async (tool) => {
      const client = greeted();
      client.call(1, tool);
      await client.connection.idle();
      expect(client.sent).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }]);
      expect(client.logged).toMatchObject([{ level: 'error', method: 'tools/call', error: expect.any(Error) }]);
    },
  );

  test.each([undefined, null, 7])('whose method returns %s are answered with an internal error', async (value) => {
    const broken = (() => value) as unknown as Method;
    const late = (async () => value) as unknown as Method;
    const client = greeted({
      ...sampleTable(),
      methods: new Map([
        ['now', broken],
        ['late', late],
      ]),
    });
    client.request(1, 'now');
    client.request(2, 'late');
    await client.connection.idle();
    expect(client.sent).toMatchObject([
      { id: 1, error: { code: -32603 } },
      { id: 2, error: { code: -32603 } },
    ]);
  });

  test('pass the error of a method on as it is', () => {
    const error = { code: -32602, message: 'Unknown tool: nothing' };
    expect(greeted().call(1, 'nothing')).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
  });
});

describe('cancellation', () => {
  test('reaches the method, and no answer is sent', async () => {
    const table = sampleTable();
    const client = greeted(table);
    client.call(1, 'wait');
    client.notify('notifications/cancelled', { requestId: 1, reason: 'enough' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(table.trace).toEqual(['waiting', 'aborted']);
    expect(client.sent).toEqual([]);
    expect(client.logged).toEqual([]);
  });

  test('is not reported as a fault of a method that stops by throwing', async () => {
    const stops: Method = (_params, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const client = greeted({ ...sampleTable(), methods: new Map([['stops', stops]]) });
    client.request(1, 'stops');
    client.notify('notifications/cancelled', { requestId: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect([client.sent, client.logged]).toEqual([[], []]);
  });

  test('frees the id at once, and the late answer of the old call stays unsent', async () => {
    const client = greeted();
    client.call(1, 'after', { ms: 5 });
    client.notify('notifications/cancelled', { requestId: 1 });
    client.call(1, 'after', { ms: 20 });
    await client.connection.idle();
    expect(client.sent).toMatchObject([{ id: 1, result: { content: [{ text: 'after 20' }] } }]);
  });

  test.each([{}, { requestId: 'other' }, { requestId: null }, { requestId: {} }])(
    'of %j is ignored',
    async (params) => {
      const client = greeted();
      client.call(1, 'after', { ms: 1 });
      expect(client.notify('notifications/cancelled', params)).toEqual([]);
      await client.connection.idle();
      expect(client.sent).toHaveLength(1);
    },
  );

  test('gives an aborted signal to a method that looks only afterwards', async () => {
    let look = () => false;
    const late: Method = (_params, context) => {
      look = () => context.signal.aborted;
      return new Promise(() => undefined);
    };
    const client = greeted({ ...sampleTable(), methods: new Map([['late', late]]) });
    client.request(1, 'late');
    client.notify('notifications/cancelled', { requestId: 1 });
    expect(look()).toBe(true);
  });
});

describe('the context of a call', () => {
  test('survives being copied, its signal included', () => {
    let copied: unknown;
    const copy: Method = (_params, context) => {
      const inner = { ...context, remote: true };
      inner.progress(1);
      copied = [inner.signal.aborted, inner.client.name];
      return { ok: true, value: {} };
    };
    greeted({ ...sampleTable(), methods: new Map([['copy', copy]]) }).request(1, 'copy');
    expect(copied).toEqual([false, 'paper']);
  });
});

describe('progress', () => {
  const progressOf = (client: ClientOnPaper) => client.sent.filter((m) => m.method === 'notifications/progress');

  test.each(['token', 0])('goes to a client that sent the token %j', async (progressToken) => {
    const client = greeted();
    client.call(1, 'steps', { count: 2 }, { progressToken });
    await client.connection.idle();
    expect(progressOf(client).map((m) => m.params)).toEqual([
      { progressToken, progress: 1, total: 2, message: 'step 1' },
      { progressToken, progress: 2, total: 2, message: 'step 2' },
    ]);
  });

  test.each([undefined, null, 1.5, {}])('is not sent for the token %j', async (progressToken) => {
    const client = greeted();
    client.call(1, 'steps', { count: 2 }, { progressToken });
    await client.connection.idle();
    expect(progressOf(client)).toEqual([]);
  });

  test('only ever increases, and ends with the answer', () => {
    let later: () => void = () => undefined;
    const method: Method = (_params, { progress }) => {
      for (const done of [1, 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2]) progress(done);
      later = () => progress(3);
      return { ok: true, value: {} };
    };
    const client = greeted({ ...sampleTable(), methods: new Map([['m', method]]) });
    client.request(1, 'm', { _meta: { progressToken: 't' } });
    later();
    expect(progressOf(client).map((m) => m.params?.progress)).toEqual([1, 2]);
  });
});

describe('a client that does not read', () => {
  test('gets no progress, and each change once when it reads again', async () => {
    const table = sampleTable();
    const client = greeted(table);
    client.congested = true;
    client.call(1, 'steps', { count: 1 }, { progressToken: 't' });
    for (let i = 0; i < 100; i += 1) table.emit({ kind: 'tools' });
    table.emit({ kind: 'resources' });
    await client.connection.idle();
    expect(client.sent.map((m) => m.id)).toEqual([1]);
    client.congested = false;
    client.connection.relieved();
    expect(client.sent.slice(1).map((m) => m.method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
    ]);
  });
});

describe('the end', () => {
  test('aborts what runs, still takes its answers, then is silent', async () => {
    const table = sampleTable();
    const client = greeted(table);
    client.call(1, 'wait');
    client.call(2, 'hold');
    client.request('sub', 'subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: modernMeta() });
    client.connection.abort();
    await new Promise((resolve) => setImmediate(resolve));
    client.connection.close();
    table.emit({ kind: 'tools' });
    table.release();
    await new Promise((resolve) => setImmediate(resolve));
    const acknowledged = { method: 'notifications/subscriptions/acknowledged' };
    expect(client.sent).toMatchObject([acknowledged, { id: 1 }, { id: 'sub', result: { resultType: 'complete' } }]);
    expect(client.sent).toHaveLength(3);
  });
});

describe('any input', () => {
  const seeds = [
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    {
      jsonrpc: '2.0',
      id: 'a',
      method: 'tools/call',
      params: { name: 'echo', arguments: { x: 1 }, _meta: modernMeta() },
    },
    { jsonrpc: '2.0', id: 2, method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities: {} } },
    { jsonrpc: '2.0', id: 's', method: 'server/discover', params: { _meta: modernMeta() } },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ];
  const mutated = fc
    .tuple(fc.constantFrom(...seeds), fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'extra'), fc.jsonValue())
    .map(([seed, key, value]) => JSON.stringify({ ...seed, [key]: value }));
  const damaged = fc
    .tuple(fc.constantFrom(...seeds.map((seed) => JSON.stringify(seed))), fc.nat(200), fc.string({ maxLength: 4 }))
    .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + piece.length));
  const line = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), mutated, damaged);

  test.each(['2025-03-26', '2025-11-25', undefined])(
    'gets at most one answer per line and never ends the connection (%s)',
    (version) => {
      fc.assert(
        fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
          const client = new ClientOnPaper(sampleTable());
          if (version !== undefined) client.greet(version);
          for (const text of lines) expect(client.say(text).length).toBeLessThanOrEqual(1);
          expect(client.request('still-there', 'ping')).toEqual([{ jsonrpc: '2.0', id: 'still-there', result: {} }]);
        }),
        { numRuns: 300 },
      );
    },
  );
});
