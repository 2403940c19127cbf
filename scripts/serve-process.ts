// Starts the built program as an HTTP server on a free port, for the judges; answers where it is and how to stop it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServeProcess {
  readonly mcpUrl: string;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 20_000;

export async function startServeProcess(roots: readonly string[]): Promise<ServeProcess> {
  const data = mkdtempSync(join(tmpdir(), 'repertoire-serve-'));
  const words = ['serve', '--no-auth', '--port', '0', '--json', '--data', data];
  const child = spawn(process.execPath, ['dist/cli.js', ...words, ...roots.flatMap((root) => ['--root', root])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { mcp_url: mcpUrl } = JSON.parse(await firstLine(child)) as { mcp_url: string }; // --json says so
  return {
    mcpUrl,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error('The server did not start in time')), START_LIMIT_MS);
    stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(late);
      resolve(text.slice(0, text.indexOf('\n')));
    });
    stdout?.once('end', () => reject(new Error('The server ended before it said where it is')));
  });
}
