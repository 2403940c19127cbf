// Holds the documentation to the code: every rule explained, every link alive, every command shown runs.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { optionNames } from '../src/cli/options.ts';
import { inspectText } from '../src/document/inspect.ts';
import { parseSkillDocument } from '../src/document/skill-document.ts';
import { adviseDocument, validateDocument } from '../src/document/validate.ts';
import { readYamlFrontmatter } from '../src/document/yaml-frontmatter.ts';

const program = resolve('dist/cli.js');
const read = (path: string): string => readFileSync(path, 'utf8');
const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));

const pages = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesBelow('docs', '.md')];

describe('docs/problems.md', () => {
  const sections = readSections(read('docs/problems.md'));

  test('explains every rule that the code can emit, and no other', () => {
    expect([...sections.keys()].sort()).toEqual([...findRules()].sort());
  });

  test.each([...sections])('says of %s what it means, gives an example and the way out', (_rule, text) => {
    expect(text).toMatch(/\bMend it: /);
    expect(text).toMatch(/^Example: |^```md$/m);
  });

  const shown = [...sections].flatMap(([rule, text]) => blocksOf(text, 'md').map((block) => [rule, block] as const));

  test.each(shown)('shows an example of %s that really breaks that rule', (rule, example) => {
    expect(rulesBrokenBy(showHidden(example))).toContain(rule);
  });
});

describe('README.md', () => {
  const readme = read('README.md');

  test('has at most 150 lines, and AGENTS.md at most 60', () => {
    expect(lineCount(readme)).toBeLessThanOrEqual(150);
    expect(lineCount(read('AGENTS.md'))).toBeLessThanOrEqual(60);
  });

  test('shows how to start it and how to test it', () => {
    expect(readme).toContain('npm ci && npm start');
    expect(readme).toContain('npm ci && npm test');
  });

  test('lists every command and every tool, and no other', () => {
    const rows = [...readme.matchAll(/^\| `(repertoire )?([a-z_]+)[^`]*` \|/gm)].map(([, , name]) => name);
    expect(rows.sort()).toEqual(['repertoire', ...commands.keys(), ...findTools()].sort());
  });

  test('shows the status screen exactly as the program prints it', () => {
    const [picture] = blocksOf(readme, 'text');
    expect(withoutVersion(picture ?? '')).toBe(withoutVersion(printPicture()));
  });
});

describe('the pages', () => {
  test.each(pages)('of %s link to what is there', (page) => {
    expect(linksOf(read(page)).filter((link) => !isAlive(page, link))).toEqual([]);
  });

  test('of the command line and of MCP describe every option, command and tool', () => {
    const cli = read('docs/cli.md');
    for (const name of optionNames) expect(cli).toContain(`\`--${name}`);
    for (const name of commands.keys()) expect(cli).toMatch(new RegExp(`^## ${name}$`, 'm'));
    for (const name of findTools()) expect(read('docs/mcp.md')).toMatch(new RegExp(`^### ${name}$`, 'm'));
  });

  test('of AGENTS.md name every folder of the source', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(read('AGENTS.md')).toMatch(new RegExp(`^\\| \`src/${name}/`, 'm'));
  });

  test('show commands that end as they say (C)', () => {
    const shown = pages.flatMap((page) => commandsOf(read(page)).map((line) => ({ page, ...line })));
    expect(shown.length).toBeGreaterThan(5);
    for (const { page, words, code } of shown) {
      const { status, stderr } = run(words, process.cwd());
      expect(status, `${page}: repertoire ${words.join(' ')}\n${stderr}`).toBe(code);
    }
  }, 60_000);
});

test('the example skills pass the check without a remark', () => {
  const { status, stdout } = run(['check', 'examples/skills', '--json'], process.cwd());
  expect({ status, ...JSON.parse(stdout) }).toEqual({ status: 0, skills_checked: 6, problems: [], findings: [] });
});

let world = '';
beforeAll(() => {
  // So long that paths do not fit beside the labels: the picture is then the same on every machine.
  world = mkdtempSync(join(tmpdir(), `repertoire-docs-${'long-'.repeat(10)}`));
  mkdirSync(join(world, 'home'));
});
afterAll(() => rmSync(world, { recursive: true, force: true }));

/** By rule: the text between its heading and the next. */
function readSections(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^### (.+)$/m).slice(1);
  const entries = parts.flatMap((part, index) =>
    index % 2 === 0 ? [[part, parts[index + 1]?.split(/^## /m)[0] ?? ''] as const] : [],
  );
  return new Map(entries);
}

/** Every rule that a source file names, whatever way it writes it. Typed skills have rules of another kind. */
function findRules(): ReadonlySet<string> {
  const sources = filesBelow('src', '.ts').filter((path) => !/\.test\.ts$|\/fixtures\/|^src\/execution\//.test(path));
  const rules = new Set<string>();
  for (const path of sources) {
    const source = read(path);
    for (const [, written = ''] of source.matchAll(/\brule: ([^,;)\n]+)/g)) {
      const found = rulesIn(written);
      // Neither a rule nor one handed on: findRules has to learn how this file writes its rules.
      if (found.length === 0)
        expect(['string', 'rule.rule', 'fault.rule', 'InspectionRule', 'z.string(', 'finding.rule'], path).toContain(
          written,
        );
      for (const rule of found) rules.add(rule);
    }
    for (const [, helper] of source.matchAll(/(\w+)(?: = )?\(rule: string/g)) {
      for (const [, rule = ''] of source.matchAll(new RegExp(`\\b${helper}\\(\\s*'([a-z0-9-]+)'`, 'g')))
        rules.add(rule);
    }
  }
  return rules;
}

function rulesIn(written: string): readonly string[] {
  const suffix = /^`\$\{key\}(-[a-z-]+)`$/.exec(written)?.[1];
  if (suffix !== undefined) return [`name${suffix}`, `description${suffix}`];
  return [...written.matchAll(/'([a-z0-9-]+)'/g)].map(([, rule = '']) => rule);
}

/** Asked of the program itself, as a host does. */
function findTools(): readonly string[] {
  const clientInfo = { name: 'docs', version: '1' };
  const hello = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } };
  const messages = [hello, { method: 'tools/list' }].map((message, id) => ({ jsonrpc: '2.0', id, ...message }));
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const { stdout } = run(['mcp', '--root', 'examples/skills'], process.cwd(), input);
  const tools: readonly { readonly name: string }[] = JSON.parse(stdout.split('\n')[1] ?? '').result.tools;
  return tools.map(({ name }) => name);
}

function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

/** Characters that nobody sees stand in the page as \u200B or \u{E0073}. */
function showHidden(text: string): string {
  return text.replace(/\\u(?:\{([0-9A-F]+)\}|([0-9A-F]{4}))/g, (_, long, short) =>
    String.fromCodePoint(Number.parseInt(long ?? short, 16)),
  );
}

function rulesBrokenBy(text: string): readonly string[] {
  const parsed = parseSkillDocument(text, readYamlFrontmatter);
  const document = parsed?.document;
  const facts = { skillBytes: text.length, files: [] };
  const remarks = [
    ...(parsed?.issues ?? []),
    ...(document ? [...validateDocument(document, 'my-skill'), ...adviseDocument(document, facts)] : []),
    ...inspectText(text),
  ];
  return remarks.map(({ rule }) => rule);
}

const lineCount = (text: string): number => text.trimEnd().split('\n').length;

const withoutVersion = (text: string): string => text.replace(/^Repertoire \S+/, 'Repertoire');

/** Two good skills in a project, two at home; one of each place has a fault that many people make. */
function printPicture(): string {
  const project = join(world, 'project/.agents/skills');
  const home = join(world, 'home/.claude/skills');
  const copy = (name: string, root: string) =>
    cpSync(join('examples/skills', name), join(root, name), { recursive: true });
  copy('commit-messages', project);
  copy('sql-review', project);
  copy('csv-cleaning', home);
  writeSkill(project, 'deploy', 'name: deploy');
  const colon = 'description: Take notes in three parts: decisions, tasks, questions.';
  writeSkill(home, 'meeting-notes', `name: meeting-notes\n${colon}`);
  mkdirSync(join(world, 'home/.codex'));
  mkdirSync(join(world, 'bin'));
  symlinkSync(program, join(world, 'bin/repertoire'));
  return run([], join(world, 'project')).stdout;
}

function writeSkill(root: string, name: string, fields: string): void {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, 'SKILL.md'), `---\n${fields}\n---\nText.\n`);
}

function run(words: readonly string[], cwd: string, input = '') {
  const path = [join(world, 'bin'), process.env.PATH].join(delimiter);
  const env = { HOME: join(world, 'home'), PATH: path };
  return spawnSync(process.execPath, [program, ...words], { cwd, env, input, encoding: 'utf8' });
}

/** Targets of Markdown links, without those inside code. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, 'code');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^https?:/.test(link));
}

function isAlive(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
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

/**
 * The commands in `sh` blocks. A server that waits and a path that stands for yours cannot be run;
 * `# exit 1` says how one ends that does not end with 0.
 */
function commandsOf(text: string): readonly { readonly words: readonly string[]; readonly code: number }[] {
  const lines = blocksOf(text, 'sh').flatMap((block) => block.split('\n'));
  return lines.flatMap((line) => {
    const [command = '', comment = ''] = line.split(/\s+#\s*/);
    const call = /^(?:repertoire|node dist\/cli\.js)(?:\s+(.*))?$/.exec(command.trim());
    if (call === null || /\bmcp\b|\/path\/to\//.test(command)) return [];
    const words = (call[1] ?? '').split(/\s+/).filter((word) => word !== '');
    return [{ words, code: Number(/^exit (\d)/.exec(comment)?.[1] ?? 0) }];
  });
}
