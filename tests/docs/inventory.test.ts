// Every block of the documentation has a test that executes or checks it, or a reason why none can.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blocksOf, readAllBlocks, readPage } from '../support/doc-blocks.ts';
import { findRunner, isAt, notRun, runnerFiles, shownAnswers, trees } from '../support/doc-plan.ts';

const blocks = readAllBlocks();

test('every block of every page has a runner', () => {
  const missing = blocks.filter((block) => findRunner(block) === undefined);
  const said = missing.map(
    ({ place, language, text }) => `${place} (${language || 'bare fence'}): ${text.split('\n')[0]}`,
  );
  expect(said, 'Name a runner in tests/support/doc-plan.ts').toEqual([]);
  expect(blocks.length).toBeGreaterThan(140);
});

test('every runner has its file and something to run', () => {
  const used = new Set(blocks.map(findRunner));
  for (const [runner, file] of Object.entries(runnerFiles)) {
    expect(existsSync(file), file).toBe(true);
    expect([...used], file).toContain(runner);
  }
});

test('every place that the plan names is there once', () => {
  for (const place of [...notRun, ...trees, ...Object.values(shownAnswers)]) {
    expect(blocks.filter((block) => isAt(block, place)).length, `${place.page}: ${place.begins}`).toBe(1);
  }
});

test('what no test runs is said, with the reason', () => {
  const left = blocks.filter((block) => findRunner(block) === 'nothing');
  const said = left.map((block) => `${block.place}: ${notRun.find((place) => isAt(block, place))?.why}`);
  console.log(`Blocks of the documentation that no test runs: ${said.length}\n${said.join('\n')}`);
  expect(said.every((line) => !line.endsWith('undefined'))).toBe(true);
});

test('every skill of docs/builtin-skills.md has an input and an output, which its test reads, and no third block', () => {
  const [, ...sections] = readPage('docs/builtin-skills.md').split(/^### /m);
  for (const text of sections) expect(blocksOf('', text).length, text.split('\n')[0]).toBe(2);
  expect(blocks.filter((block) => findRunner(block) === 'builtin').length).toBe(2 * sections.length);
});
