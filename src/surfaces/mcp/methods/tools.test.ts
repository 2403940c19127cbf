// tools/list and tools/call over any tools.
import { describe, expect, test } from 'vitest';
import { LOCAL_OPERATOR } from '../../../identity/caller.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { contextOf } from '../fixtures/tool-world.ts';
import { READ_ONLY, type Tool, textContent, toolError } from './tool.ts';
import { callTool, listTools } from './tools.ts';

const echo: Tool = {
  name: 'echo',
  title: 'Echo',
  describe: () => 'Says it again',
  inputSchema: { type: 'object' },
  annotations: READ_ONLY,
  call: (input) => ({ content: [textContent(JSON.stringify(input))] }),
};
const slow: Tool = {
  ...echo,
  name: 'slow',
  outputSchema: { type: 'object' },
  _meta: { x: 1 },
  call: async () => toolError('no'),
};
const listAll = (tools: readonly Tool[]) => listTools(tools, { caller: LOCAL_OPERATOR });
const call = (params: JsonObject) => callTool([echo, slow])(params, contextOf());

describe('tools/list', () => {
  test('publishes every tool, with only the fields it has (T8)', () => {
    const base = { title: 'Echo', description: 'Says it again', inputSchema: { type: 'object' } };
    const annotations = { title: 'Echo', readOnlyHint: true, openWorldHint: false, destructiveHint: false };
    expect(listAll([echo, slow])({}, contextOf())).toEqual({
      ok: true,
      value: {
        tools: [
          { ...base, name: 'echo', annotations },
          { ...base, name: 'slow', annotations, outputSchema: { type: 'object' }, _meta: { x: 1 } },
        ],
      },
    });
  });

  test('describes its tools anew each time: skills come and go', () => {
    const words = ['first', 'second'];
    const counting = { ...echo, describe: () => words.shift() ?? '' };
    const list = listAll([counting]);
    list({}, contextOf());
    expect(list({}, contextOf())).toMatchObject({ value: { tools: [{ description: 'second' }] } });
  });

  test('has one page, so every cursor is wrong', () => {
    expect(listAll([echo])({ cursor: 'x' }, contextOf())).toMatchObject({ ok: false, failure: { code: -32602 } });
  });
});

describe('tools/call', () => {
  test('answers what the tool answers, also later; its own failure is a result', async () => {
    expect(call({ name: 'echo', arguments: { a: 1 } })).toEqual({
      ok: true,
      value: { content: [{ type: 'text', text: '{"a":1}' }] },
    });
    expect(call({ name: 'echo' })).toMatchObject({ value: { content: [{ text: '{}' }] } });
    expect(await call({ name: 'slow' })).toMatchObject({ ok: true, value: { isError: true } });
  });

  test.each([
    [{}, 'name must be a string'],
    [{ name: 1 }, 'name must be a string'],
    [{ name: 'nope' }, 'Unknown tool: "nope"'],
    [{ name: '__proto__' }, 'Unknown tool'],
    [{ name: 'echo', arguments: [] }, 'arguments must be an object'],
    [{ name: 'echo', arguments: null }, 'arguments must be an object'],
    [{ name: 'echo', arguments: 'x' }, 'arguments must be an object'],
  ])('refuses %j with -32602', (params, message) => {
    const failure = { code: -32602, message: expect.stringContaining(message) };
    expect(call(params)).toMatchObject({ ok: false, failure });
  });

  test('does not send a long name back whole', () => {
    const reply = call({ name: 'x'.repeat(10_000) });
    expect(JSON.stringify(reply).length).toBeLessThan(300);
  });
});

test('toolError() is a result, not a protocol error', () => {
  expect(toolError('no')).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true });
});
