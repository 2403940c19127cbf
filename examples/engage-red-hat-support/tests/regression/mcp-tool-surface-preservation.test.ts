// The support server's tools before and after skills were added: definitions, order and answers are the same (T10).

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/values/json-object.ts';
import { GENERATIONS } from '../open-support.ts';

const OWN = ['search_knowledge_base', 'open_support_case', 'attach_sosreport_summary', 'list_skills'];
const OURS = ['get_skill', 'read_skill_file'];

/** In this order: the later ones depend on the case that an earlier one opens. */
const CALLS: readonly JsonObject[] = [
  { name: 'search_knowledge_base', arguments: { words: 'selinux denied' } },
  { name: 'search_knowledge_base', arguments: {} },
  {
    name: 'open_support_case',
    arguments: { summary: 'httpd cannot read its files', product: 'Red Hat Enterprise Linux', severity: 2 },
  },
  { name: 'open_support_case', arguments: { summary: 'short', product: '', severity: 9 } },
  { name: 'attach_sosreport_summary', arguments: { case_number: 'CASE-0001', summary: 'one avc denial' } },
  { name: 'attach_sosreport_summary', arguments: { case_number: 'CASE-9999', summary: 'x' } },
  { name: 'list_skills', arguments: {} },
  { name: 'unknown_tool', arguments: {} },
  { name: 'search_knowledge_base', arguments: 'not an object' },
  {},
];

describe.each(GENERATIONS)('the tools of the support server on $label', ({ open }) => {
  test('the list begins with its own tools, unchanged, and ends with ours (T10)', async () => {
    const before = await (await open(false)).result('tools/list');
    const after = await (await open(true)).result('tools/list');
    const tools = after.tools as readonly JsonObject[];
    expect(tools.map(({ name }) => name)).toEqual([...OWN, ...OURS]);
    const own = { ...after, tools: tools.slice(0, OWN.length) };
    expect(JSON.stringify(own)).toBe(JSON.stringify({ ...before, tools: before.tools }));
  });

  test('every call is answered as before, refusals included (T10)', async () => {
    const bare = await open(false);
    const client = await open(true);
    for (const call of CALLS) {
      const before = await bare.ask('tools/call', call);
      expect(JSON.stringify(await client.ask('tools/call', call))).toBe(JSON.stringify(before));
    }
  });

  test('what the server says of itself gains capabilities and loses nothing (T10)', async () => {
    const before = (await open(false)).welcome;
    const after = (await open(true)).welcome;
    expect(after).toMatchObject(before);
    const { capabilities: _theirs, ...rest } = before;
    const { capabilities: _ours, ...others } = after;
    expect(others).toEqual(rest);
  });
});
