// Starts the built program once and puts what V8 compiled of it beside it, so that the first start here is as quick as the second.
// It is of use to this version of Node alone, and is not packed: an installed program makes its own (compiled-part.ts).
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledIn } from '../src/surfaces/cli/compiled-part.ts';

const ASKED = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"build","version":"0"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
];
const SKILL = '---\nname: first\ndescription: A skill for the first start.\n---\n\n# First\n';
/** A start takes a fraction of a second, on a machine with nothing else to do. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 50;

/** On Windows a start keeps nothing (start.ts): there is nothing to put beside the program. */
export async function keepCompiled(directory: string, platform = process.platform): Promise<void> {
  if (platform === 'win32') return;
  const home = mkdtempSync(join(tmpdir(), 'repertoire-build-'));
  const kept = join(home, '.repertoire/remembered');
  mkdirSync(join(home, 'skills/first'), { recursive: true });
  writeFileSync(join(home, 'skills/first/SKILL.md'), SKILL);
  const child = spawn(process.execPath, [join(directory, 'cli.js'), 'mcp', '--root', join(home, 'skills')], {
    env: { HOME: home },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const findEnd = () => child.exitCode ?? child.signalCode ?? undefined;
  // A program that has ended takes no more input; its exit code says more.
  child.stdin.on('error', () => undefined);
  try {
    child.stdin.write(`${ASKED.join('\n')}\n`);
    const name = await findCompiled(kept, findEnd);
    const code = compiledIn(readFileSync(join(kept, name)));
    if (code === undefined) throw new Error('Cannot keep the compiled program: what it wrote is not whole');
    writeFileSync(join(directory, name), code);
  } finally {
    child.stdin.end();
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** `findEnd`: what the program exited with, if it has. */
async function findCompiled(folder: string, findEnd: () => number | string | undefined): Promise<string> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const end = findEnd();
    const name = readFolder(folder).find((each) => each.endsWith('.code'));
    if (name !== undefined) return name;
    if (end !== undefined) throw new Error(`Cannot keep the compiled program: it exited with ${end} at once`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error('Cannot keep the compiled program: a start of it has written nothing');
}

function readFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
