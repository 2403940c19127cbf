// Commands that show skills show typed ones too, when --config or --builtin names some, and load nothing of them otherwise.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from './support/world.ts';

const CONFIG = `
const text = { type: 'object', properties: { name: { type: 'string', description: 'Whom' } }, required: ['name'] };
const skill = (name, more = {}) => ({ name, description: 'Greets somebody warmly.', category: 'execution', input: text, output: text,
  limits: { perMinute: 7 }, run: (input) => input, ...more });
export default { skills: [skill('greet', { assignedTo: ['TaskAgent'] }), skill('bad', { category: 'x' })], roots: ['./skills'] };
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-listed-'));
  writeFileSync(join(folder, 'c.mjs'), CONFIG);
  mkdirSync(join(folder, 'skills/pdf-forms'), { recursive: true });
  writeFileSync(join(folder, 'skills/pdf-forms/SKILL.md'), '---\nname: pdf-forms\ndescription: Fills in forms.\n---\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...words: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') };
  const ended = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

const REFUSED = /Cannot register .*"bad".*category/;

describe('with --config', () => {
  test('list shows documents of its folders and typed skills, marked (C)', () => {
    const { stdout, stderr, code } = run('list', '--config', 'c.mjs');
    expect(stdout).toMatch(/^pdf-forms\tFills in forms\.\t.*\ngreet\tGreets somebody warmly\.\ttyped\n$/);
    expect(stderr).toMatch(REFUSED);
    expect(code).toBe(0);
    expect(existsSync(join(folder, 'home/.repertoire'))).toBe(false);
  });

  test('search finds them (C)', () => {
    expect(run('search', 'greets', '--config', 'c.mjs').stdout).toMatch(/^greet\t/);
  });

  test('show prints the definition (C)', () => {
    const { stdout } = run('show', 'greet', '--config', 'c.mjs');
    expect(stdout).toContain('greet  typed · execution\nGreets somebody warmly.\n');
    expect(stdout).toMatch(/Agents +TaskAgent\n.*Input +name: string, required · Whom\n/);
    expect(stdout).toContain('30 seconds, 7 calls per minute for each caller');
    expect(JSON.parse(run('show', 'greet', '--config', 'c.mjs', '--json').stdout)).toMatchObject({ name: 'greet' });
  });

  test.each(['doctor', 'check'])('%s tells of the refused one and fails (C)', (command) => {
    const { stdout, code } = run(command, '--config', 'c.mjs');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(REFUSED);
    expect(stdout).toContain('typed-skill-refused');
    expect(code).toBe(1);
  });

  test('check counts the typed skills of the file, the refused ones too, and does not miss documents where there are none (C)', () => {
    expect(run('check', '--config', 'c.mjs').stdout).toContain('3 skills checked: 1 error');
    const alone = "skills: [skill('greet')], roots: ['./none']";
    writeFileSync(join(folder, 'alone.mjs'), CONFIG.replace(/skills: \[.*\], roots: .*\]/, alone));
    expect(run('check', '--config', 'alone.mjs')).toMatchObject({
      code: 0,
      stdout: '1 skill checked: all good\n',
      stderr: expect.not.stringContaining('No skills found'),
    });
  });

  test('check warns of an input field that is called like a secret and not marked, and of names that are taken (X1)', () => {
    const marked =
      "{ type: 'object', properties: { token: { type: 'string', secret: true }, api_key: { type: 'string' } } }";
    const skills = `skill('sign_in', { input: ${marked} }), skill('task_creation'), skill('twice'), skill('twice')`;
    writeFileSync(join(folder, 'taken.mjs'), CONFIG.replace(/skills: \[.*\], roots/, `skills: [${skills}], roots`));
    const { stdout, code } = run('check', '--config', 'taken.mjs', '--json');
    const ofTyped = JSON.parse(stdout).problems.filter(({ path }: { path: string }) => path.endsWith('taken.mjs'));
    expect(
      ofTyped.map(({ rule, message }: Record<string, string>) => [rule, /"\w+"/.exec(message ?? '')?.[0]]),
    ).toEqual([
      ['typed-skill-refused', '"twice"'],
      ['typed-skill-refused', '"task_creation"'],
      ['unmarked-secret', '"api_key"'],
    ]);
    expect(code).toBe(1);
    expect(run('list', '--config', 'taken.mjs').stdout).toMatch(/^sign_in\t/m);
  });

  test('doctor tells of a file that cannot be loaded, beside all else (C)', () => {
    const { stdout, code } = run('doctor', '--config', 'none.mjs');
    expect(stdout).toContain('config-not-loaded');
    expect(stdout).toContain('Folders, in the order');
    expect(code).toBe(1);
  });
});

test('invoke without a name lists the typed skills, built-in ones included (C)', () => {
  const { stdout, code } = run('invoke', '--config', 'c.mjs');
  expect(stdout).toMatch(/^greet\t.*\ttyped\n/);
  expect(stdout).toContain('\ntask_creation\t');
  expect(code).toBe(0);
  expect(run('invoke', '--input', '{}').code).toBe(2);
});

test('list --builtin names built-in skills; without either option nothing typed is shown (C)', () => {
  expect(run('list', '--root', 'skills', '--builtin', 'task_creation').stdout).toMatch(/\ntask_creation\t.*\ttyped\n$/);
  expect(run('list', '--root', 'skills').stdout).not.toContain('typed');
});
