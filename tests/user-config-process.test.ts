// A configuration file beside the protocol: what its code prints and what it leaves behind, in a process of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-config-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(text: string, name = `config-${files++}.ts`): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const module = new URL('../dist/lib/settings/user-config.js', import.meta.url).href;
const program = `const { loadUserConfigFile } = await import(${JSON.stringify(module)});
  const loaded = await loadUserConfigFile(process.argv[1]);
  if (loaded.ok) loaded.value.skills[0].run();
  else Object.getPrototypeOf(process.stdout).write.call(process.stdout, loaded.failure);`;
const load = (path: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', program, path], { encoding: 'utf8' });

test('what the code prints, now or later, goes to standard error', () => {
  const text = `import { stdout } from 'node:process';
    console.log('now');
    process.stdout.write('at once\\n');
    stdout.write('by name\\n');
    export default { skills: [{ run: () => { console.table([1]); process.stdout.write('later'); } }] };`;
  for (const path of [write(text), write(text, 'odd # 60% ü.mjs')]) {
    const { stdout, stderr } = load(path);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^now\nat once\nby name\n┌.*later$/s);
  }
});

test('what the code prints steers no terminal (T9)', () => {
  const text = `export default { skills: [{ run: () => {
    console.log('\\x1b[2Jlog \\u202e');
    console.error('\\x1b[2Jerror');
    process.stdout.write(Buffer.from('\\x1b[2Jbytes\\n'));
  } }] };`;
  const { stdout, stderr } = load(write(text));
  expect(stdout).toBe('');
  expect(stderr).toBe('\\x1b[2Jlog \\u{202e}\n\\x1b[2Jerror\n\\x1b[2Jbytes\n');
});

test.each(['void Promise.reject(new Error("late"))', 'setTimeout(() => { throw new Error("late"); })'])(
  'what fails in the background while it is loaded is a sentence: %s',
  (fault) => {
    const { stdout, stderr } = load(write(`${fault};\nawait new Promise((done) => setTimeout(done, 50));`));
    expect(stdout).toMatch(/it threw "Error: late" in line 1\. Correct what it does when it is loaded\.$/);
    expect(stderr).toBe('');
  },
);

test('so is a promise that it lets go with its last line', () => {
  const { stdout, stderr } = load(write('void Promise.reject(new Error("late"));\nexport default { skills: [] };'));
  expect(stdout).toMatch(/it threw "Error: late" in line 1\. Correct what it does when it is loaded\.$/);
  expect(stderr).toBe('');
});

test('what fails after it was loaded is for the guard, which stands before the loader goes (F14)', () => {
  const guarding = `const { loadUserConfigFile } = await import(${JSON.stringify(module)});
    const faults = [];
    const guard = () => void process.on('uncaughtException', (error) => faults.push(error.message));
    await loadUserConfigFile(process.argv[1], { guard });
    failLater();
    await new Promise((done) => setTimeout(done, 5));
    console.error(JSON.stringify(faults));`;
  const text = 'globalThis.failLater = () => setTimeout(() => { throw new Error("later"); });\nexport default {};';
  const path = write(text);
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', guarding, path], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '["later"]\n' });
});

test('a syntax error in JavaScript has its line, too, and code that fails later is not run twice', () => {
  const broken = write('export default {\n  agents: = 1,\n};', 'broken.mjs');
  expect(load(broken).stdout).toBe(
    `Cannot load ${broken}: line 2 has a syntax error: Unexpected token '='. Correct that line.`,
  );
  const failing = write('console.log("once");\nJSON.parse("{");', 'failing.mjs');
  const { stdout, stderr } = load(failing);
  expect(stdout).toMatch(/it threw "SyntaxError: .*" in line 2\. Correct what/);
  expect(stderr).toBe('once\n');
});

test('a file that ends the process is named, and the exit code is 1', () => {
  const path = write('process.exit(0);');
  const { status, stderr } = load(path);
  expect(stderr).toBe(`Cannot load ${path}: it ended the process. Remove its call of exit().\n`);
  expect(status).toBe(1);
});
