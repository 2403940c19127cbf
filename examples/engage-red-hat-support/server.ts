// The support server with get_skill beside what it has, over stdio: `npx tsx server.ts`. In your own program import from 'repertoire' and 'repertoire/mcp'.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { openCatalog } from '../../src/index.ts';
import { registerSkills } from '../../src/surfaces/mcp/sdk.ts';
import { buildServer } from './build-server.ts';
import { createSupportDesk } from './support-desk.ts';
import { SKILL_OPTIONS, SKILLS_FOLDER } from './support-surface.ts';

const desk = createSupportDesk();
const catalog = await openCatalog({ roots: [SKILLS_FOLDER] });

const connection = serveStdio(() => {
  const server = buildServer(desk);
  registerSkills(server, catalog, SKILL_OPTIONS);
  return server;
});

// The SDK does not end the process when the host goes away.
process.stdin.once('close', () => {
  catalog.close();
  void connection.close();
});
