// The built program as an MCP server over standard input and output, started under whatever limits a fault needs.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { program } from '../support/world.ts';

export interface McpProcess {
  /** The structured content of the tool's answer. */
  call(name: string, input: object): Promise<{ readonly text: string; readonly structured: Record<string, unknown> }>;
  stderr(): string;
  kill(): void;
}

export interface McpOrders {
  /** Everything it keeps goes there, and nothing of the developer's own is found. */
  readonly home: string;
  readonly args: readonly string[];
  /** Shell commands that set the limits. */
  readonly before: string;
  /** A command before the shell. */
  readonly wrapper?: readonly string[];
}

export async function startMcp({ home, args, before, wrapper = [] }: McpOrders): Promise<McpProcess> {
  const script = `${before}; exec "$@"`;
  const [command = 'sh', ...rest] = [...wrapper, 'sh', '-c', script, 'sh', process.execPath, program, 'mcp', ...args];
  const env = { PATH: process.env.PATH, HOME: home };
  const child = spawn(command, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const request = createRequester(child, () => stderr);
  const clientInfo = { name: 'fault-test', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    stderr: () => stderr,
    kill: () => void child.kill('SIGKILL'),
    call: async (name, input) => {
      const result = await request('tools/call', { name, arguments: input });
      return { text: result.content[0]?.text ?? '', structured: result.structuredContent ?? {} };
    },
  };
}

interface ToolReply {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

function createRequester(child: ChildProcessByStdio<Writable, Readable, Readable>, stderr: () => string) {
  const waiting = new Map<number, { resolve: (result: ToolReply) => void; reject: (error: Error) => void }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(result);
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the server ended with ${code}: ${stderr()}`));
  });
  let last = 0;
  return (method: string, params: object): Promise<ToolReply> => {
    last += 1;
    const id = last;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
}
