// Starts the built program as an HTTP server on a free port, for the judges; answers where it is and how to stop it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServeProcess as startProgram } from '../tests/support/serve-process.ts';

export interface ServeProcess {
  readonly mcpUrl: string;
  stop(): Promise<void>;
}

export async function startServeProcess(roots: readonly string[]): Promise<ServeProcess> {
  const data = mkdtempSync(join(tmpdir(), 'repertoire-serve-'));
  const places = roots.flatMap((root) => ['--root', root]);
  const server = await startProgram(['--no-auth', '--data', data, ...places], process.env);
  server.child.stderr?.pipe(process.stderr);
  return {
    mcpUrl: server.mcp_url,
    stop: async () => {
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
