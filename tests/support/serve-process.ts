// The built program as an HTTP server on a free port: started, asked, stopped, killed. For tests, judges and the bench.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './patience.ts';

/** What `serve --json` says first. */
export interface Serving {
  readonly url: string;
  readonly mcp_url: string;
  /** Null where none is asked for. */
  readonly token: string | null;
  readonly store: { readonly state: 'ready' | 'unavailable' | 'off' };
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with POST. */
  readonly body?: string;
}

export interface ServeProcess extends Serving {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** Resolves with its exit code or the signal that ended it. */
  readonly exit: Promise<number | string>;
  stderr(): string;
  /** As the operator. Rejects when the connection breaks. */
  ask(path: string, asking?: Asking): Promise<HttpAnswer>;
  /** Asked to, then awaited. */
  stop(): Promise<number | string>;
  kill(): Promise<void>;
}

const programPath = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

const KEEP_STDERR = 20_000;
const IDLE_MS = 10_000;

/** `environment` is all that the process sees. `before`: shell commands that set its limits. */
export async function startServeProcess(
  options: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
  before = ':',
): Promise<ServeProcess> {
  const words = [process.execPath, programPath, 'serve', '--port', '0', '--json', ...options];
  const shell = ['-c', `${before}; exec "$@"`, 'sh', ...words];
  const child = spawn('/bin/sh', shell, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  leaveNoneBehind(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-KEEP_STDERR);
  });
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal);
  const serving = await readServing(child).catch((error: Error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}: ${stderr}`);
  });
  const port = Number(new URL(serving.url).port);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exit;
  };
  return {
    ...serving,
    child,
    pid: child.pid ?? 0,
    port,
    exit,
    stderr: () => stderr,
    ask: createAsker(port, serving.token),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

const running = new Set<ChildProcess>();

/** Also when the test run ends early. */
function leaveNoneBehind(child: ChildProcess): void {
  if (running.size === 0) process.once('exit', killAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

export async function readServing(child: ChildProcess): Promise<Serving> {
  return JSON.parse(await readFirstLine(child)) as Serving; // `serve --json` says so
}

export function readFirstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error('The server did not start in time')), PATIENCE_MS);
    stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(late);
      resolve(text.slice(0, text.indexOf('\n')));
    });
    stdout?.once('end', () => {
      clearTimeout(late);
      reject(new Error('The server ended before it said where it is'));
    });
  });
}

/** Node's own client: `fetch` costs more than the server on the other side. */
function createAsker(port: number, token: string | null): ServeProcess['ask'] {
  // An idle connection goes before the server closes it: who asks at that very moment would be cut off.
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const own = token === null ? {} : { Authorization: `Bearer ${token}` };
  return (path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const posted = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const method = body === undefined ? 'GET' : 'POST';
      const asked = request({
        agent,
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { ...own, ...posted, ...headers },
      });
      asked.once('error', reject).once('response', (response) => {
        readAll(response).then((text) => {
          resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - started });
        }, reject);
      });
      asked.end(body);
    });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
