// The installed program as others use it: an MCP host that starts it, and a server that is asked over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Installed } from './packed-program.ts';

/** What a host's settings say. */
export interface HostEntry {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Serving {
  readonly url: string;
  readonly token: string;
  stop(): Promise<unknown>;
}

export const exampleSkills = ({ own }: Installed): string => join(own, 'examples/skills');
export const script = ({ own }: Installed): string => join(own, 'dist/cli.js');

/** Starts the entry as a host does, from the home directory. */
export async function connectHost(installed: Installed, { command, args }: HostEntry): Promise<Client> {
  const client = new Client({ name: 'package-test', version: '1.0.0' });
  const { environment: env, home: cwd } = installed;
  await client.connect(new StdioClientTransport({ command, args: [...args], env, cwd, stderr: 'ignore' }));
  return client;
}

/** `nodeOptions` come before the script. */
export async function startServing(installed: Installed, nodeOptions: readonly string[] = []): Promise<Serving> {
  const { node, environment: env, home: cwd } = installed;
  const words = [script(installed), 'serve', '--port', '0', '--json', '--root', exampleSkills(installed)];
  const child = spawn(node, [...nodeOptions, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const exit = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    const { url, token } = JSON.parse(line);
    const stop = () => {
      child.kill('SIGTERM');
      return exit;
    };
    return { url, token, stop };
  }
  throw new Error(`The server ended before it said where it is: ${stderr}`);
}
