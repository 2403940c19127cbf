// Every contract that is due is cited by a test; the others that no test cites yet are printed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractIds } from './support/contract-ids.ts';

test('every contract that is due now is cited by a test', () => {
  const cited = new Set(testFiles().flatMap((path) => citationsIn(readFileSync(path, 'utf8'))));
  const uncited = Object.entries(contractIds).filter(([id]) => !cited.has(id));
  console.log(`Cited by no test yet: ${uncited.map(([id, due]) => `${id} (${due})`).join(', ') || 'none'}`);
  expect(uncited.filter(([, due]) => due === 'now')).toEqual([]);
});

test('no test cites a contract that does not exist', () => {
  const known = new Set(Object.keys(contractIds));
  const unknown = testFiles().flatMap((path) =>
    citationsIn(readFileSync(path, 'utf8'))
      .filter((id) => !known.has(id))
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
