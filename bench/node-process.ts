// Starts node processes under the same clean conditions, and leaves none behind.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { now, sleep } from './clock.ts';
import type { Box } from './workshop.ts';

const running = new Set<ChildProcess>();

export function startNode(args: readonly string[], box: Box, stdio: StdioOptions): ChildProcess {
  const env = { ...cleanEnvironment(process.env), HOME: box.home, USERPROFILE: box.home };
  const child = spawn(process.execPath, args, { cwd: box.workingDirectory, env, stdio });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Milliseconds from spawn to exit. */
export async function timeNode(args: readonly string[], box: Box): Promise<number> {
  const startedAt = now();
  const [code] = await once(startNode(args, box, 'ignore'), 'exit');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return now() - startedAt;
}

/** The standard output of a process that ends by itself. */
export async function readNode(args: readonly string[], box: Box): Promise<string> {
  const child = startNode(args, box, ['ignore', 'pipe', 'ignore']);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return output;
}

/** As hosts do it: asked first, then made to. */
export async function stopNode(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const stopped = await Promise.race([gone, sleep(1000)]);
  if (stopped === undefined) child.kill('SIGKILL');
  await gone;
}

/** For the bench's own end, whatever brought it about. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** NODE_EXTRA_CA_CERTS alone adds 40 ms of CPU to every start of node 20, and hides every ratio. */
function cleanEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(?:NODE_|npm_|XDG_)/i.test(name)));
}
