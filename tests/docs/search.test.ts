// Holds what docs/search.md shows to what the program finds. Where lines break and colours begin, a pipe cannot tell.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliWorld, createCliWorld } from '../cli-world.ts';
import { readAllBlocks, readPage } from '../support/doc-blocks.ts';
import { findRunner } from '../support/doc-plan.ts';
import { program } from '../support/world.ts';

interface ShownHit {
  readonly name: string;
  /** How many of its eight strokes are strong. */
  readonly bar: number;
  readonly description: string;
  readonly why: string;
}

let world: CliWorld;
beforeAll(() => {
  world = createCliWorld();
});
afterAll(() => world.remove());

const samples = samplesOf(readPage('docs/search.md'));

test('docs/search.md shows some words and a mistyped one', () => {
  expect(samples.map(([words]) => words)).toEqual([
    'search review a database migration --root examples/skills',
    'search migartion --root examples/skills',
  ]);
  expect(readAllBlocks().filter((block) => findRunner(block) === 'found').length).toBe(samples.length);
});

test.each(samples)('docs/search.md shows what `repertoire %s` finds, and why (C, T13)', (words, shown) => {
  expect(parseHits(shown)).toEqual(findHits(words.split(' ')));
});

/** Each command that is followed by its output. */
function samplesOf(page: string): readonly (readonly [words: string, shown: string])[] {
  const blocks = page.matchAll(/^```sh\nrepertoire (.+)\n```\n\n```text\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, words = '', shown = '']) => [words, shown] as const);
}

function parseHits(shown: string): readonly ShownHit[] {
  return shown
    .trimEnd()
    .split('\n\n')
    .map((block) => {
      const [title = '', ...lines] = block.split('\n').map((line) => line.trim());
      const [name = '', bar = ''] = title.split('  ');
      return {
        name,
        bar: bar.replaceAll('─', '').length,
        description: lines.slice(0, -1).join(' '),
        why: lines.at(-1) ?? '',
      };
    });
}

function findHits(words: readonly string[]): readonly ShownHit[] {
  const options = { env: world.environment, encoding: 'utf8' } as const;
  const { stdout } = spawnSync(process.execPath, [program, ...words, '--json'], options);
  const skills: readonly (Omit<ShownHit, 'bar'> & { readonly score: number })[] = JSON.parse(stdout).skills;
  const best = skills[0]?.score ?? 1;
  return skills.map(({ name, description, why, score }) => ({
    name,
    bar: Math.max(1, Math.round((score / best) * 8)),
    description,
    why,
  }));
}
