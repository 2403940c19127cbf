// The server that the conformance suite wants for tasks and input rounds, made with `repertoire/server`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withAdaption } from '../../src/app/adapted-table.ts';
import { startServer } from '../../src/server.ts';
import type { ServeProcess } from '../serve-process.ts';
import { adaptForSuite } from './asking-tools.ts';
import { taskSkills } from './task-skills.ts';

/** Open, because the suite has no token. */
export async function startSuiteServer(): Promise<ServeProcess> {
  const data = mkdtempSync(join(tmpdir(), 'repertoire-suite-'));
  const options = { skills: taskSkills, builtin: [], auth: false, port: 0, data };
  const server = await startServer(withAdaption(options, adaptForSuite));
  return {
    mcpUrl: `${server.url}/mcp`,
    stop: async () => {
      await server.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
