// Every contract is cited by a test, and no test cites one that does not exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractIds } from './support/contract-ids.ts';

test('every contract is cited by a test', () => {
  const cited = new Set(testFiles().flatMap((path) => citationsIn(readFileSync(path, 'utf8'))));
  expect([...contractIds].filter((id) => !cited.has(id))).toEqual([]);
});

test('no test cites a contract that does not exist', () => {
  const unknown = testFiles().flatMap((path) =>
    citationsIn(readFileSync(path, 'utf8'))
      .filter((id) => !contractIds.has(id))
      .map((id) => `${path}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

test('a citation is an id in brackets, alone or among others', () => {
  const bracketed = (inside: string) => `(${inside})`;
  const text = `test('x ${bracketed('D3')}') // ${bracketed('T1, T12; C')} ${bracketed('X99: y')} T7 f(C) new Set(B1)`;
  expect(citationsIn(text)).toEqual(['D3', 'T1', 'T12', 'C', 'X99']);
});

function testFiles(): readonly string[] {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return [...below('src'), ...below('tests'), ...below('examples')].filter((path) => path.endsWith('.test.ts')).sort();
}

/** Ids in brackets after a space, so that the arguments of a call are none. */
function citationsIn(text: string): readonly string[] {
  const brackets = text.matchAll(/\s\(([^()]*)\)/g);
  return [...brackets].flatMap(([, inside = '']) => inside.match(/\b(?:[DTRXBHF]\d{1,2}|C)\b/g) ?? []);
}
