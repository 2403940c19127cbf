// Every entry for a host's settings that a page shows is what `repertoire connect` would write.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliWorld, createCliWorld } from '../cli-world.ts';
import { type DocBlock, readAllBlocks } from '../support/doc-blocks.ts';
import { findRunner } from '../support/doc-plan.ts';
import { program } from '../support/world.ts';

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

const blocks = readAllBlocks().filter((block) => findRunner(block) === 'entry');

let world: CliWorld;
beforeAll(() => {
  world = createCliWorld();
  mkdirSync(join(world.path, 'bin'));
  symlinkSync(program, join(world.path, 'bin/repertoire'));
  writeFileSync(join(world.project, 'repertoire.config.ts'), 'export default { skills: [] };\n');
});
afterAll(() => world.remove());

test.each(blocks.map((block) => [block.place, block] as const))(
  'the entry in %s is one that connect writes (C)',
  (_, block) => {
    const { command, args } = readEntry(block);
    const [, ...options] = args.slice(args.indexOf('mcp')).map(mean);
    const onPath =
      command === 'repertoire' ? { PATH: [join(world.path, 'bin'), process.env.PATH].join(delimiter) } : {};
    const { stdout, stderr } = world.run(['connect', 'cursor', '--print', '--json', ...options], onPath);
    expect(stderr).toBe('');
    expect({ command, args: args.map(mean) }).toEqual(JSON.parse(stdout).after);
  },
);

/** What the paths of a page stand for here. */
function mean(word: string): string {
  return word
    .replace('/path/to/repertoire/dist/cli.js', program)
    .replace(/^\/path\/to\/(?:a\/)?(?:project)?/, `${world.project}/`);
}

function readEntry({ text }: DocBlock): Entry {
  const { mcpServers } = JSON.parse(text) as { readonly mcpServers: Readonly<Record<string, Entry>> }; // or the test fails
  expect(Object.keys(mcpServers)).toEqual(['repertoire']);
  return mcpServers.repertoire as Entry;
}
