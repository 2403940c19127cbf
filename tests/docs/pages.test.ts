// Holds the prose of the documentation to the code: its lists are complete, its links alive, the commands it names real.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseCommand } from '../../src/surfaces/cli/choose-command.ts';
import { commands } from '../../src/surfaces/cli/commands.ts';
import { optionNames } from '../../src/surfaces/cli/options.ts';
import { parseArguments } from '../../src/surfaces/cli/parse-arguments.ts';
import { type CliWorld, createCliWorld } from '../cli-world.ts';
import { findPages, proseOf, readPage } from '../support/doc-blocks.ts';
import { program } from '../support/world.ts';

const pages = findPages();

let world: CliWorld;
let tools: readonly string[] = [];
beforeAll(() => {
  world = createCliWorld();
  tools = findTools();
});
afterAll(() => world.remove());

describe('README.md', () => {
  const readme = readPage('README.md');

  test('has at most 150 lines, and AGENTS.md at most 60', () => {
    expect(lineCount(readme)).toBeLessThanOrEqual(150);
    expect(lineCount(readPage('AGENTS.md'))).toBeLessThanOrEqual(60);
  });

  test('shows how to start it and how to test it', () => {
    expect(readme).toContain('npm ci && npm start');
    expect(readme).toContain('npm ci && npm test');
  });

  test('lists every command and every tool, and no other', () => {
    const cells = [...readme.matchAll(/^\| (`[a-z](?:\\\||[^|])*`) \|/gm)].map(([, cell = '']) => cell);
    const rows = cells.flatMap((cell) =>
      [...cell.matchAll(/`(?:repertoire )?([a-z_]+)[^`]*`/g)].map(([, name]) => name),
    );
    expect(rows.sort()).toEqual(['repertoire', ...commands.keys(), ...tools].sort());
  });
});

describe('the pages', () => {
  test.each(pages)('of %s link to what is there', (page) => {
    expect(linksOf(readPage(page)).filter((link) => !isAlive(page, link))).toEqual([]);
  });

  test('of the command line and of MCP describe every option, command and tool', () => {
    const cli = readPage('docs/cli.md');
    for (const name of optionNames) expect(cli).toContain(`\`--${name}`);
    for (const name of commands.keys()) expect(cli).toMatch(new RegExp(`^## ${name}$`, 'm'));
    for (const name of tools) expect(readPage('docs/mcp.md')).toMatch(new RegExp(`^### ${name}$`, 'm'));
  });

  test('of AGENTS.md name every folder of the source', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(readPage('AGENTS.md')).toMatch(new RegExp(`^\\| [^|]*\`src/${name}/`, 'm'));
  });
});

describe('the commands within sentences', () => {
  const named = pages.flatMap((page) => commandsIn(readPage(page)).map((command) => [page, command] as const));

  test('are many', () => expect(named.length).toBeGreaterThan(80));

  test.each(named)('%s: `%s` can be typed', (_, command) => {
    expect(findFault(command)).toBeUndefined();
  });
});

test('the example skills pass the check without a remark', () => {
  const { status, stdout } = run(['check', 'examples/skills', '--json']);
  expect({ status, ...JSON.parse(stdout) }).toEqual({ status: 0, skills_checked: 6, problems: [], findings: [] });
});

const lineCount = (text: string): number => text.trimEnd().split('\n').length;

/** Asked of the program itself, as a host does. */
function findTools(): readonly string[] {
  const clientInfo = { name: 'docs', version: '1' };
  const hello = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } };
  const messages = [hello, { method: 'tools/list' }].map((message, id) => ({ jsonrpc: '2.0', id, ...message }));
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const { stdout } = run(['mcp', '--root', 'examples/skills'], input);
  const listed: readonly { readonly name: string }[] = JSON.parse(stdout.split('\n')[1] ?? '').result.tools;
  return listed.map(({ name }) => name);
}

function run(words: readonly string[], input = '') {
  return spawnSync(process.execPath, [program, ...words], { env: world.environment, input, encoding: 'utf8' });
}

/** Targets of Markdown links, without those inside code. */
function linksOf(text: string): readonly string[] {
  const prose = proseOf(text).replace(/`[^`\n]*`/g, 'code');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^https?:/.test(link));
}

function isAlive(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readPage(target)).includes(anchor);
}

function anchorsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** `repertoire check [PATH]`, `npm run bench` and the like. */
function commandsIn(text: string): readonly string[] {
  const code = [...proseOf(text).matchAll(/`((?:repertoire|node|npm|npx) [^`]+)`/g)].map(([, command = '']) => command);
  return [...new Set(code.flatMap((command) => command.split(/\s+(?:&&|\|)\s+/)))];
}

/** A sentence about what is wrong with it. Words in capitals stand for others. */
function findFault(command: string): string | undefined {
  const [name, ...words] = command.replaceAll(/[[\]]/g, '').replaceAll('\\|', '|').split(/\s+/);
  if (name === 'npm' || name === 'npx') return findPackageFault(name, words);
  // What Node itself does with an option is not ours to check.
  if (name === 'node' && words[0]?.startsWith('-')) return undefined;
  const ours = name === 'repertoire' ? words : words[0] === 'dist/cli.js' ? words.slice(1) : undefined;
  if (ours === undefined) return `Nobody checks ${command}`;
  const given = ours.filter((word) => !['COMMAND', 'OPTIONS'].includes(word));
  const [first = ''] = given;
  // A name alone means the command as such, also where it would want more words.
  if (given.length < 2 && (first === '' || commands.has(first))) return undefined;
  const parsed = parseArguments(given);
  const chosen = parsed.ok ? chooseCommand(parsed.value, commands) : parsed;
  return chosen.ok ? undefined : chosen.failure;
}

function findPackageFault(name: string, words: readonly string[]): string | undefined {
  if (name === 'npx') return findProgramFault(words);
  const [action = '', target = ''] = words;
  const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  if (action === 'run') return target in scripts ? undefined : `There is no script ${target}`;
  return action in scripts || ['ci', 'install', 'i', 'link', 'pack', 'publish'].includes(action)
    ? undefined
    : `npm ${action}?`;
}

/** `npx tsx FILE`, `npx vitest run FILE`: the program is installed, the file is there. */
function findProgramFault([name = '', ...words]: readonly string[]): string | undefined {
  // With -p it is another project's, fetched for the moment.
  if (name === 'repertoire' || name === '-p') return undefined;
  if (!existsSync(join('node_modules/.bin', name))) return `There is no program ${name}`;
  return words.find((word) => /\.\w+$/.test(word) && !existsSync(word));
}
