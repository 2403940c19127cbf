// Whom the log names for a document that was read (D9).
import { describe, expect, test } from 'vitest';
import { agentCaller, LOCAL_OPERATOR, userCaller } from '../../identity/caller.ts';
import { readerName } from './reader-name.ts';

const client = (name: string) => ({ name, version: '1', capabilities: {} });

test.each([
  [agentCaller('billing'), 'billing'],
  [userCaller('550e8400-e29b-41d4-a716-446655440000'), '550e8400-e29b-41d4-a716-446655440000'],
  [LOCAL_OPERATOR, 'claude-code'],
  [undefined, 'claude-code'],
])('%j is called %s, whatever the client says (D9)', (caller, name) => {
  expect(readerName({ caller, client: client('claude-code') })).toBe(name);
});

describe("a client's own name", () => {
  test.each([
    ['Claude Code', 'Claude Code'],
    ['a\u001b[31m\nb\u202e\u200bc', 'a bc'],
    ['', 'unknown'],
    ['\u200b', 'unknown'],
    ['x'.repeat(5_000), `${'x'.repeat(127)}…`],
    [`mine rpo_${'a'.repeat(43)}`, 'mine …'],
    [`mine rpa_${'a'.repeat(43)} 2`, 'mine … 2'],
    ['Bearer abcdefgh', '…'],
    [`eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.c`, '…'],
    ['sk-proj-0123456789abcdef', '…'],
    ['risk-assessment-agent', 'risk-assessment-agent'],
  ])('%j is written as %j (D9)', (given, written) => {
    expect(readerName({ caller: LOCAL_OPERATOR, client: client(given) })).toBe(written);
  });
});
