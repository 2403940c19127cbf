// Compiles all snippets of the documentation together against the built package, runs each, loads each configuration file.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocBlock, readAllBlocks } from '../support/doc-blocks.ts';
import { findRunner, isAt } from '../support/doc-plan.ts';
import { frames } from '../support/snippet-frames.ts';
import { createSnippetPackage, type Printed, type SnippetPackage } from '../support/snippet-package.ts';
import { programsOf } from '../support/snippet-program.ts';

const snippets = readAllBlocks().filter((block) => findRunner(block) === 'snippet');
const named = snippets.map((block) => [block.place, block] as const);

let library: SnippetPackage;
let said = '';
let printed: Readonly<Record<string, Printed>> = {};
beforeAll(async () => {
  library = createSnippetPackage();
  said = await library.compile(programs());
  printed = await library.run();
});
afterAll(() => library.remove());

test('every snippet has the types that it needs', () => {
  expect(said).toBe('');
});

describe('the snippets', () => {
  test.each(named)('of %s run, and print what they say they do', (_, block) => {
    const { error, lines = [] } = printed[`${fileOf(block)}.js`] ?? { error: 'not run' };
    expect(error).toBeUndefined();
    if (block.text.includes('console.log(')) expect(lines).not.toEqual([]);
  });

  test('that are parts have a frame, and every frame a part', () => {
    expect(frames.filter((frame) => !snippets.some((block) => isAt(block, frame)))).toEqual([]);
  });
});

// One that defines no skill is about documents.
const configurations = named.filter(([, { text }]) => /export default defineConfig\([\s\S]*^ +name: '/m.test(text));

test.each(configurations)('%s is a file that --config takes (X9)', (_, { text }) => {
  const file = join(library.path, 'repertoire.config.ts');
  writeFileSync(file, text);
  const names = [...text.matchAll(/^ +name: '(\w+)'/gm)].map(([, name]) => name);
  expect(names).not.toEqual([]);
  expect(toolsWith(file)).toEqual(expect.arrayContaining(names));
});

/** By file name: the programs that the snippets are. */
function programs(): ReadonlyMap<string, string> {
  const pages = [...new Set(snippets.map(({ page }) => page))];
  return new Map(
    pages.flatMap((page) => {
      const own = snippets.filter((block) => block.page === page);
      const texts = programsOf(own);
      return own.map((block, index) => [`${fileOf(block)}.${block.language}`, texts[index] ?? ''] as const);
    }),
  );
}

const fileOf = ({ place }: DocBlock): string => place.replaceAll(/[/.:]/g, '-');

/** The tools that a host gets from this file. */
function toolsWith(config: string): readonly string[] {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'docs', version: '1' } };
  const messages = [{ method: 'initialize', params }, { method: 'tools/list' }];
  const input = messages.map((message, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`).join('');
  const env = { PATH: process.env.PATH ?? '', HOME: join(library.path, 'home') };
  const words = [resolve('dist/cli.js'), 'mcp', '--config', config];
  const { stdout } = spawnSync(process.execPath, words, { cwd: library.path, env, input, encoding: 'utf8' });
  const tools: readonly { readonly name: string }[] = JSON.parse(stdout.split('\n')[1] ?? '').result.tools;
  return tools.map(({ name }) => name);
}
