// Every contract stands in the name of a test that `npm test` runs, and no name cites one that does not exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longFiles } from './long-files.ts';
import { contractIds } from './support/contract-ids.ts';

test('every contract is in the name of a test, long files aside', () => {
  const files = testFiles().filter((path) => !longFiles.includes(path));
  const cited = new Set(files.flatMap((path) => citationsIn(readFileSync(path, 'utf8'))));
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

test('a citation is an id in brackets at the end of a name, alone or among others', () => {
  const bracketed = (inside: string) => `(${inside})`;
  const named = [`'x ${bracketed('D3')}'`, `"${bracketed('T1, T12; C')}"`, `\`%s ${bracketed('X99: y')}\``];
  const others = [`// ${bracketed('R1')}`, `'${bracketed('R2')} x'`, 'T7', "f(C)'"];
  expect(citationsIn([...named, ...others].join('\n'))).toEqual(['D3', 'T1', 'T12', 'C', 'X99']);
});

function testFiles(): readonly string[] {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return [...below('src'), ...below('tests'), ...below('examples')].filter((path) => path.endsWith('.test.ts')).sort();
}

/** In comments they are no proof. */
function citationsIn(text: string): readonly string[] {
  const brackets = text.matchAll(/[\s'"`]\(([^()\n]*)\)['"`]/g);
  return [...brackets].flatMap(([, inside = '']) => inside.match(/\b(?:[DTRXBHF]\d{1,2}|C)\b/g) ?? []);
}
