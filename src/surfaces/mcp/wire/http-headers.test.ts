// Tests of the headers of MCP over HTTP: forms of answers, encoded names, and whether headers and body agree.
import { describe, expect, test } from 'vitest';
import { answerForm, decodeHeaderValue, routingHeaderProblem, versionHeaderProblem } from './http-headers.ts';
import type { Request } from './json-rpc.ts';

describe('answerForm', () => {
  test.each([
    [undefined, 'either'],
    ['', 'either'],
    ['application/json, text/event-stream', 'either'],
    ['text/event-stream,application/json;q=0.5', 'either'],
    ['*/*', 'either'],
    ['Application/JSON', 'json'],
    ['application/*', 'json'],
    ['application/json, text/event-stream;q=0', 'json'],
    ['text/event-stream', 'stream'],
    ['text/html', undefined],
    ['application/json;q=0.0', undefined],
  ])('of %j is %s', (accept, form) => {
    expect(answerForm(accept === undefined ? {} : { accept })).toBe(form);
  });
});

describe('decodeHeaderValue', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
    ['=?base64?IHBhZGRlZCA=?=', ' padded '],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?base64??=', ''],
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
    ['=?base64?SGVsbG8?=', undefined],
    ['=?base64?SGVs!!!bG8=?=', undefined],
    ['=?base64?//8=?=', undefined],
    ['caf\u00e9', undefined],
  ])('of %j is %j', (value, decoded) => {
    expect(decodeHeaderValue(value)).toBe(decoded);
  });
});

const request = (method: string, params: Record<string, unknown> = {}): Request => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  return { kind: 'request', id: 1, method, params: { _meta, ...params } };
};

describe('the headers of a modern request (H1)', () => {
  test.each([
    [{ 'mcp-protocol-version': '2026-07-28' }, undefined],
    [{}, -32020],
    [{ 'mcp-protocol-version': '2025-11-25' }, -32020],
    [{ 'mcp-protocol-version': '2026-07-28, 2026-07-28' }, -32020],
  ])('with the version %j give %s', (headers, code) => {
    expect(versionHeaderProblem(headers, request('tools/list'))?.code).toBe(code);
  });

  test.each([
    ['tools/list', {}, { 'mcp-method': 'tools/list' }, undefined],
    ['tools/list', {}, {}, -32020],
    ['tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }, -32020],
    ['tools/call', { name: 'skill' }, { 'mcp-method': 'tools/call', 'mcp-name': 'skill' }, undefined],
    ['tools/call', { name: 'skill' }, { 'mcp-method': 'tools/call' }, -32020],
    ['tools/call', { name: 'skill' }, { 'mcp-method': 'tools/call', 'mcp-name': 'other' }, -32020],
    ['tools/call', { name: 'Hello' }, { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?SGVsbG8=?=' }, undefined],
    ['tools/call', { name: 'Hello' }, { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?SGVsbG8?=' }, -32020],
    ['tools/call', { name: 5 }, { 'mcp-method': 'tools/call' }, undefined],
    ['prompts/get', { name: 'a' }, { 'mcp-method': 'prompts/get', 'mcp-name': 'b' }, -32020],
    ['resources/read', { uri: 'skill://a' }, { 'mcp-method': 'resources/read', 'mcp-name': 'skill://a' }, undefined],
    ['resources/read', { uri: 'skill://a' }, { 'mcp-method': 'resources/read', 'mcp-name': 'skill://b' }, -32020],
  ])('for %s %j with %j give %s', (method, params, headers, code) => {
    expect(routingHeaderProblem(headers, request(method, params))?.code).toBe(code);
  });

  test('say what they and the body say, at most a taste of it', () => {
    const problem = routingHeaderProblem({ 'mcp-method': 'x'.repeat(10_000) }, request('tools/list'));
    expect(problem?.message).toContain('"tools/list"');
    expect(problem?.message.length).toBeLessThan(250);
  });
});
