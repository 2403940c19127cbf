// What one version changes in another, however much that is (L3).
import { expect, test } from 'vitest';
import { readYamlFrontmatter } from '../document/yaml-frontmatter.ts';
import { checkFiles, type GivenFile } from './check-files.ts';
import { compareVersions } from './compare-versions.ts';
import type { Library, Version } from './library.ts';

const MEGABYTE = 1_048_576;

const skillOf = (body: string): GivenFile => ({
  path: 'SKILL.md',
  text: `---\nname: refunds\ndescription: How refunds are made.\n---\n${body}\n`,
});

/** What is kept, as the store has it. */
function createShelf() {
  const kept = new Map<string, Buffer>();
  const library: Pick<Library, 'readFiles'> = { readFiles: async () => kept };
  const keep = (given: readonly GivenFile[]): Version => {
    const checked = checkFiles('refunds', given, readYamlFrontmatter);
    if (!checked.ok) throw new Error(checked.failure.join('; '));
    const { digest, files } = checked.value;
    for (const { sha256, bytes } of files) kept.set(sha256, bytes);
    const made = { name: 'refunds', number: 1, author: 'local', time: new Date(0), message: '', base: null };
    return { ...made, digest, files, state: 'proposed', decision: undefined, wasCurrent: false, isCurrent: false };
  };
  return { keep, library };
}

const three = (text: string): readonly GivenFile[] =>
  Array.from({ length: 3 }, (_, at) => ({ path: `a${at}.txt`, text }));

test('versions that differ in millions of lines are compared within bounds, and what is left out is marked (L3, F4)', async () => {
  const { keep, library } = createShelf();
  const small = (text: string): GivenFile => ({ path: 'z/small.txt', text });
  const from = keep([...three('\n'.repeat(MEGABYTE)), skillOf('before'), small('one\n')]);
  const to = keep([...three('a\n'.repeat(MEGABYTE / 2)), skillOf('after'), small('two\n')]);
  const { files } = await compareVersions(from, to, library);
  expect(files.map(({ path }) => path)).toEqual(
    [...three('').map(({ path }) => path), skillOf('').path, 'z/small.txt'].sort(),
  );
  expect(JSON.stringify(files).length).toBeLessThan(5 * MEGABYTE);
  const shown = files.filter(({ hunks }) => hunks.length > 0).map(({ path }) => path);
  expect(shown).toEqual(['SKILL.md', 'z/small.txt']);
  const leftOut = files.filter(({ isTooLarge }) => isTooLarge).map(({ path, isText }) => [path, isText]);
  expect(leftOut).toHaveLength(3);
  expect(leftOut).toContainEqual(['a0.txt', true]);
});

test('one changed line of a large file is shown, whatever its size (L3)', async () => {
  const { keep, library } = createShelf();
  const large = (line: string): GivenFile => ({
    path: 'data.txt',
    text: `${'x\n'.repeat(200_000)}${line}\n${'y\n'.repeat(200_000)}`,
  });
  const { files } = await compareVersions(
    keep([skillOf('x'), large('one')]),
    keep([skillOf('x'), large('two')]),
    library,
  );
  expect(files).toMatchObject([{ path: 'data.txt', isTooLarge: false, hunks: [{ before: 199_998, after: 199_998 }] }]);
});
