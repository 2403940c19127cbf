// The built program as an MCP server over standard input and output, started under whatever limits a fault needs.
import { RawClient, startServerProcess } from '../support/raw-client.ts';
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
  const words = [...wrapper, 'sh', '-c', `${before}; exec "$@"`, 'sh', process.execPath, program, 'mcp', ...args];
  const [command = 'sh', ...rest] = words;
  const place = { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home } };
  const client = new RawClient(startServerProcess(rest, place, command));
  await client.greet('2025-06-18');
  return {
    stderr: () => client.stderr,
    kill: () => client.kill('SIGKILL'),
    call: async (name, input) => {
      const { result, error } = await client.request('tools/call', { name, arguments: input });
      if (result === undefined) throw new Error(error?.message);
      // As tools/call answers.
      const { content, structuredContent } = result as { content: { text?: string }[]; structuredContent?: object };
      return { text: content[0]?.text ?? '', structured: { ...structuredContent } };
    },
  };
}
