// Tests of JSON-RPC as values.
import { describe, expect, test } from 'vitest';
import { errorLine, notificationLine, parseMessage, readMessage, resultLine } from './json-rpc.ts';

const invalid = (id: string | number | null, code = -32600) => ({
  kind: 'invalid',
  id,
  error: { code, message: expect.any(String) },
});

describe('parseMessage()', () => {
  test('reads a request, with absent params as an empty object', () => {
    const request = { kind: 'request', id: 'a', method: 'ping', params: {} };
    expect(parseMessage('{"jsonrpc":"2.0","id":"a","method":"ping"}\r')).toEqual(request);
  });

  test('reads a message without id as a notification', () => {
    const text = '{"jsonrpc":"2.0","method":"m","params":{"a":1}}';
    expect(parseMessage(text)).toEqual({ kind: 'notification', method: 'm', params: { a: 1 } });
  });

  test.each(['', '  ', '\r', '{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}'])(
    'has no use for %j',
    (text) => {
      expect(parseMessage(text)).toEqual({ kind: 'nothing' });
    },
  );

  test.each(['{oops', 'hello', '{"a":1}{"b":2}', '\u{feff}{}', '{"id":1,"method":NaN}'])(
    'reports %j as a parse error without quoting it',
    (text) => {
      const message = parseMessage(text);
      expect(message).toEqual(invalid(null, -32700));
      expect(JSON.stringify(message)).not.toContain(JSON.stringify(text).slice(1, -1));
    },
  );

  test.each(['7', '"text"', 'null', 'true', '{}'])('reports %s as an invalid request without id', (text) => {
    expect(parseMessage(text)).toEqual(invalid(null));
  });

  test.each([
    '{"id":5,"method":"m"}',
    '{"jsonrpc":"1.0","id":5,"method":"m"}',
    '{"jsonrpc":2.0,"id":5,"method":"m"}',
    '{"jsonrpc":"2.0","id":5,"method":7}',
    '{"jsonrpc":"2.0","id":5}',
    '{"jsonrpc":"2.0","id":5,"method":"m","params":[1]}',
    '{"jsonrpc":"2.0","id":5,"method":"m","params":null}',
    '{"jsonrpc":"2.0","id":5,"method":"m","params":"text"}',
  ])('answers the invalid %s under its id', (text) => {
    expect(parseMessage(text)).toEqual(invalid(5));
  });

  test.each(['null', '{}', '[]', '1.5', 'true', '1e999'])('refuses the id %s', (id) => {
    expect(parseMessage(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toEqual(invalid(null));
  });

  test('gives an array as a batch, but not inside a batch', () => {
    expect(parseMessage('[1,[]]')).toEqual({ kind: 'batch', items: [1, []] });
    expect(readMessage([])).toEqual(invalid(null));
  });

  test('survives 100,000 levels of nesting', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const request = parseMessage(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":${deep}}}`);
    expect(['request', 'invalid']).toContain(request.kind);
    expect(parseMessage(`{"jsonrpc":"2.0","id":${deep},"method":"m"}`)).toMatchObject({ kind: 'invalid', id: null });
  });

  test('is not misled by __proto__', () => {
    const text = '{"jsonrpc":"2.0","__proto__":{"id":1,"method":"m"}}';
    expect(parseMessage(text)).toEqual(invalid(null));
  });
});

describe('the lines', () => {
  test('are one line each, with line breaks and lone surrogates escaped', () => {
    const line = resultLine(1, { text: 'a\nb\ud800' });
    expect(line).toBe('{"jsonrpc":"2.0","id":1,"result":{"text":"a\\nb\\ud800"}}');
  });

  test('leave out data and params that are not there', () => {
    expect(errorLine(null, { code: -1, message: 'm' })).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}',
    );
    expect(errorLine('x', { code: -1, message: 'm', data: { a: 1 } })).toContain('"data":{"a":1}');
    expect(notificationLine('m')).toBe('{"jsonrpc":"2.0","method":"m"}');
  });
});
