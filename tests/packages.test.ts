// What others read before they run us is true: the registry's server.json, the action, the image, the bundle.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { bundleManifest } from '../scripts/bundle-manifest.ts';
import { chooseCommand } from '../src/surfaces/cli/choose-command.ts';
import { commands } from '../src/surfaces/cli/commands.ts';
import { parseArguments } from '../src/surfaces/cli/parse-arguments.ts';

const own = JSON.parse(readFileSync('package.json', 'utf8'));
const read = (path: string): string => readFileSync(path, 'utf8');

/** The words of a command line, as the program takes them. */
function expectRuns(words: readonly string[]): void {
  const parsed = parseArguments(words);
  expect(parsed, words.join(' ')).toMatchObject({ ok: true });
  if (parsed.ok) expect(chooseCommand(parsed.value, commands), words.join(' ')).toMatchObject({ ok: true });
}

test('server.json names this package, its version and a command that there is', () => {
  const server = JSON.parse(read('server.json'));
  const [npm] = server.packages;
  expect(server).toMatchObject({ name: own.mcpName, version: own.version, description: own.description });
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(npm).toMatchObject({ registryType: 'npm', identifier: own.name, version: own.version });
  expectRuns(npm.packageArguments.map(({ value }: { value: string }) => value));
});

test('it is not published while a file has OWNER for the account', () => {
  const files = ['package.json', 'server.json', 'examples/github-action/check-skills.yml'];
  const unnamed = files.filter((file) => read(file).includes('OWNER/'));
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/check-publisher.ts'], {
    encoding: 'utf8',
  });
  expect(status).toBe(unnamed.length === 0 ? 0 : 1);
  for (const file of unnamed) expect(stderr).toContain(file);
  expect(own.scripts.prepublishOnly).toContain('scripts/check-publisher.ts');
});

test('the bundle starts a file of the package with options that there are', () => {
  const { server, version } = bundleManifest(own, 'linux');
  expect(version).toBe(own.version);
  expect(server.entry_point).toBe(`node_modules/${own.name}/${own.bin.repertoire}`);
  const [entry, ...words] = server.mcp_config.args;
  expect(entry).toBe(`\${__dirname}/${server.entry_point}`);
  expectRuns(words);
});

test('the action runs commands that there are, and reads no input as a command', () => {
  const { inputs, runs } = parse(read('action.yml'));
  const lines: readonly string[] = runs.steps.map(({ run }: { run: string }) => run);
  for (const line of lines) {
    expect(line).not.toContain('${{');
    const [, words = ''] = /^npx --yes "repertoire@\$VERSION" (.*)$/.exec(line) ?? [];
    expectRuns(words.replace(/\$\{SKILLS.*?\}/, 'skills').split(' '));
  }
  const example = parse(read('examples/github-action/check-skills.yml'));
  const given = example.jobs.check.steps.at(-1).with;
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
});

test('the image runs as another user than root, tells its health, and serves with options that there are', () => {
  const image = read('Dockerfile');
  const [, words = '[]'] = /^CMD (\[.*\])$/m.exec(image) ?? [];
  expectRuns(JSON.parse(words));
  expect(image).toMatch(/^USER node$/m);
  expect(image).toMatch(/^HEALTHCHECK [\s\S]*127\.0\.0\.1:7337\/health'/m);
  expect(image).toContain(`COPY ${own.name}-*.tgz`);
});
