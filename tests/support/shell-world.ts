// A home, a checkout and a PATH in which the shell blocks of the documentation are run, by a real shell, line by line.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './patience.ts';
import { ranElsewhere } from './ran-elsewhere.ts';

export interface ShellWorld {
  /** Saves a text that a page shows, where its commands run. */
  save(name: string, text: string): void;
  run(script: string): Promise<readonly RanLine[]>;
  remove(): void;
}

interface RanLine {
  readonly line: string;
  readonly code: number;
  /** As the comment `# exit 1` says; 0 without one. */
  readonly wanted: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The server that pages mean by http://127.0.0.1:7337. */
interface RunningServer {
  readonly url: string;
  readonly token: string | null;
  readonly home: string;
}

type Meanings = readonly (readonly [shown: string, real: string])[];

export function createShellWorld(server?: RunningServer): ShellWorld {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-shell-')));
  const folder = (name: string) => join(path, name);
  for (const name of ['home', 'bin', 'checkout', 'project', 'results']) mkdirSync(folder(name));
  const setting = server === undefined ? {} : { TOKEN: server.token ?? '' };
  const env = {
    ...setting,
    HOME: server?.home ?? folder('home'),
    PATH: [folder('bin'), process.env.PATH].join(delimiter),
    RESULTS: folder('results'),
  };
  // A page that says /path/to/repertoire means the checkout, and 0.0.0.0 would be seen from outside.
  const folders: Meanings = [
    ['/path/to/repertoire', folder('checkout')],
    ['/path/to/your/project', folder('project')],
    ['/srv/skills', folder('checkout/examples/skills')],
  ];
  const quoted: Meanings = folders.map(([shown, real]) => [shown, quote(real)]);
  const others: Meanings = [
    ['--host 0.0.0.0', '--host 127.0.0.1'],
    // Nobody listens there: a server starts all the same.
    ['postgres://…', 'postgres://127.0.0.1:9/none'],
    ['TOKEN=…', `TOKEN=${'shown-token-'.repeat(4)}`],
    ['SECRET=…', `SECRET=${'shown-secret-'.repeat(4)}`],
    ['http://127.0.0.1:7337', server?.url ?? 'http://127.0.0.1:7337'],
  ];
  furnish(path, (text) => put(text, folders));
  return {
    save: (name, text) => writeFileSync(join(folder('checkout'), name), text),
    run: (script) =>
      runLines(linesOf(script), (text) => put(text, [...quoted, ...others]), { cwd: folder('checkout'), env }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

const put = (text: string, meanings: Meanings): string =>
  meanings.reduce((seen, [shown, real]) => seen.replaceAll(shown, () => real), text);

/** One word of a shell, also where the folder for temporary files has a space in its name. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The checkout is made of links, so that nothing can be written into the real one's top. */
function furnish(path: string, mean: (text: string) => string): void {
  for (const name of ['dist', 'src', 'node_modules', 'package.json'])
    symlinkSync(resolve(name), join(path, 'checkout', name));
  cpSync('examples', join(path, 'checkout/examples'), { recursive: true });
  symlinkSync(process.execPath, join(path, 'bin/node'));
  symlinkSync(resolve('dist/cli.js'), join(path, 'bin/repertoire'));
  const known = ranElsewhere.map(({ command }) => `${mean(command)}\n`).join('');
  writeFileSync(join(path, 'elsewhere'), known);
  for (const name of ['npm', 'npx'])
    writeProgram(join(path, 'bin', name), packageCommand(name, join(path, 'elsewhere')));
  writeProgram(join(path, 'bin/curl'), curlCommand(process.env.PATH ?? ''));
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}`);
  chmodSync(path, 0o755);
}

/** Does nothing for what another test runs; of npx's programs only ours is here. */
const packageCommand = (name: string, known: string): string => `
if grep -qxF "${name} $*" ${quote(known)}; then echo 'run by another test'; exit 0; fi
if [ ${name} = npx ] && [ "$1" = repertoire ]; then exec "$@"; fi
echo "No test runs: ${name} $*" >&2
exit 97
`;

/** The real one where there is one: quiet, and failing when the server refuses. */
const curlCommand = (path: string): string => `
real=$(PATH=${quote(path)} command -v curl)
if [ -n "$real" ]; then exec "$real" --silent --show-error --fail "$@"; fi
exec node ${quote(fileURLToPath(new URL('./curl-stand-in.mjs', import.meta.url)))} "$@"
`;

/** Without blank lines and comments; one that ends in a backslash goes on. */
export function linesOf(script: string): readonly string[] {
  const lines = script.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function runLines(lines: readonly string[], mean: (text: string) => string, place: Place) {
  const commands = lines.map((line) => mean(withoutComment(line)));
  await runShell(commands.map(scriptOf).join('\n'), place);
  const result = (index: number, part: string) =>
    readFileSync(join(place.env.RESULTS ?? '', `${index}.${part}`), 'utf8');
  return lines.map((line, index) => ({
    line,
    code: Number(result(index, 'code')),
    wanted: Number(/\s# exit (\d+)/.exec(line)?.[1] ?? 0),
    stdout: result(index, 'out'),
    stderr: result(index, 'err'),
  }));
}

const withoutComment = (line: string): string => line.replace(/\s+# .*$/, '');

/** No subshell around a line: what it sets, the next one sees. A server is asked to end once it has said where it is. */
function scriptOf(command: string, index: number): string {
  const [out, err, code] = ['out', 'err', 'code'].map((part) => `"$RESULTS/${index}.${part}"`);
  if (!/\b(?:repertoire|dist\/cli\.js) serve\b/.test(command))
    return `{ ${command}\n} >${out} 2>${err}; echo $? >${code}`;
  return `{ ${command} --port 0 --json & } >${out} 2>${err}
while [ ! -s ${out} ] && kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -TERM $! 2>/dev/null; wait $!; echo $? >${code}`;
}

function runShell(script: string, { cwd, env }: Place): Promise<void> {
  return new Promise((done, refuse) => {
    execFile('sh', ['-c', script], { cwd, env, timeout: PATIENCE_MS }, (error, _stdout, stderr) => {
      // Every line's own code is in its file; here only a script that the shell cannot read.
      if (stderr !== '' || error?.killed) refuse(new Error(`The shell refused: ${stderr || error?.message}`));
      else done();
    });
  });
}
