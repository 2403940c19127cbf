// Names for new agents.
import { expect, test } from 'vitest';
import { freeName } from './free-name.ts';

const active = (...names: readonly string[]) => names.map((name) => ({ name, state: 'active' as const }));

test('a name that is taken gets the first number that is free (U1)', () => {
  expect(freeName('codex', active('claude-code'))).toBe('codex');
  expect(freeName('codex', active('codex', 'codex-3'))).toBe('codex-2');
  expect(freeName('codex', active('codex', 'codex-2', 'codex-3'))).toBe('codex-4');
});

test('an expired agent keeps its name, a revoked one does not (U1)', () => {
  expect(freeName('codex', [{ name: 'codex', state: 'expired' }])).toBe('codex-2');
  expect(freeName('codex', [{ name: 'codex', state: 'revoked' }])).toBe('codex');
});

test('a number makes no name longer than the server takes (U1)', () => {
  const longest = 'x'.repeat(64);
  expect(freeName(longest, active(longest))).toBe(`${'x'.repeat(62)}-2`);
});
