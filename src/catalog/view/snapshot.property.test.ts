// Any set of folders: the lookups agree with a model that is written from the contract, slowly and plainly.

import { expect, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { foundFolder, foundSkill } from '../fixtures/found-folder-value.ts';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import type { FoundFolder } from './found-folder.ts';
import type { Skill } from './skill.ts';
import { createSnapshot } from './snapshot.ts';

const ROOTS = [testRoot('/r1'), testRoot('/r2'), testRoot('/r3')];
const SEGMENTS = ['a', 'A', 'b', 'B', 'c'];
const NAMES = ['a', 'A', ' b', 'B', 'c', 'C ', 'd', 'D'];

interface Plan {
  readonly root: number;
  readonly path: readonly string[];
  readonly name: string | undefined;
}

const plans = fc.uniqueArray(
  fc.record({
    root: fc.nat(ROOTS.length - 1),
    path: fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 }),
    name: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
  }),
  { maxLength: 14, selector: ({ root, path }) => `${root} ${path.join('/')}` },
);

const folderOf = ({ root, path, name }: Plan): FoundFolder => {
  const at = ROOTS[root] ?? testRoot('/none');
  return name === undefined ? foundFolder(at, path.join('/')) : foundSkill(at, path.join('/'), name);
};

/** As a scan gives them: in root order, then path order. */
const inOrder = (all: readonly Plan[]): FoundFolder[] =>
  [...all].sort((a, b) => a.root - b.root || compare(a.path.join('\0'), b.path.join('\0'))).map(folderOf);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const keyOf = (name: string): string => name.trim().toLowerCase();

/** D5: of two roots with the same path only the first root's folder is served. */
const servedOf = (folders: readonly FoundFolder[]): (FoundFolder & { skill: Skill })[] =>
  folders.filter(
    (folder, index): folder is FoundFolder & { skill: Skill } =>
      folder.skill !== undefined &&
      !folders.slice(0, index).some((other) => other.skill !== undefined && other.relative === folder.relative),
  );

/** D5: the first root that has it; in it a folder that bears the name, then one spelled by the rules, else the first. */
function ownerOf(folders: readonly FoundFolder[], name: string): Skill | undefined {
  const all = servedOf(folders).filter(({ skill }) => keyOf(skill.name) === keyOf(name));
  const sameRoot = all.filter(({ root }) => root === all[0]?.root);
  const bearing = sameRoot.filter((folder) => keyOf(folder.name) === keyOf(name));
  const claims = bearing.length > 0 ? bearing : sameRoot;
  return (claims.find(({ skill }) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(skill.name)) ?? claims[0])?.skill;
}

/** T6, as written: letter case, direct children, root order, path order; of those the first that can be served. */
function folderAnswer(folders: readonly FoundFolder[], name: string): string | undefined {
  const known = folders.filter(({ depth, text }) => depth === 1 || text !== undefined);
  const exact = known.filter((folder) => folder.name === name);
  const some = exact.length > 0 ? exact : known.filter((folder) => folder.name.toLowerCase() === name.toLowerCase());
  const ordered = [...some.filter(({ depth }) => depth === 1), ...some.filter(({ depth }) => depth > 1)];
  const best = ordered.find(({ text }) => text !== undefined) ?? ordered[0];
  return best && (best.text?.bytes.toString() ?? 'no-skill-file');
}

test('every lookup agrees with the model (D5, T6)', () => {
  fc.assert(
    fc.property(plans, (all) => {
      const folders = inOrder(all);
      const snapshot = createSnapshot(folders, []);
      const served = servedOf(folders);
      expect(new Set(snapshot.skills)).toEqual(new Set(served.map(({ skill }) => skill)));
      for (const { skill } of served) expect(snapshot.findByUri(skill.uri)).toBe(skill);
      for (const name of [...NAMES, 'zzz']) expect(snapshot.findByName(name)).toBe(ownerOf(folders, name));
      for (const name of [...SEGMENTS, 'C']) {
        const answer = snapshot.findFolder(name);
        const shown = answer && ('failure' in answer ? answer.failure : answer.text.toString());
        expect(shown).toBe(folderAnswer(folders, name));
      }
    }),
    { numRuns: 400 },
  );
});

test('every skill is served by its name, or reported; never both, never neither (D5)', () => {
  fc.assert(
    fc.property(plans, (all) => {
      const folders = inOrder(all);
      const snapshot = createSnapshot(folders, []);
      const reported = new Set(snapshot.problems.map(({ rootPath, path }) => `${rootPath}/${path}`));
      for (const { skill } of folders) {
        if (skill === undefined) continue;
        expect(reported.has(skill.filePath)).toBe(snapshot.findByName(skill.name) !== skill);
      }
      expect(reported.size).toBe(snapshot.problems.length);
    }),
    { numRuns: 400 },
  );
});

test('what is left out is as if it had never been there', () => {
  fc.assert(
    fc.property(plans, fc.subarray(NAMES), (all, without) => {
      const hidden = new Set(without.map(keyOf));
      const folders = inOrder(all);
      const others = folders.filter(
        ({ name, skill }) => !hidden.has(keyOf(name)) && !(skill && hidden.has(keyOf(skill.name))),
      );
      const [some, rest] = [createSnapshot(folders, without), createSnapshot(others, [])];
      expect(some.skills).toEqual(rest.skills);
      expect(some.problems).toEqual(rest.problems);
    }),
    { numRuns: 200 },
  );
});
