// The same over stdio with the older SDK: `npx tsx server-v1.ts`. In your own program import from 'repertoire/mcp/v1'.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { openCatalog } from '../../src/index.ts';
import { registerSkills } from '../../src/surfaces/mcp/sdk-v1.ts';
import { buildServerV1 } from './build-server-v1.ts';
import { createSupportDesk } from './support-desk.ts';
import { SKILL_OPTIONS, SKILLS_FOLDER } from './support-surface.ts';

const server = buildServerV1(createSupportDesk());
const catalog = await openCatalog({ roots: [SKILLS_FOLDER] });
registerSkills(server, catalog, SKILL_OPTIONS);
await server.connect(new StdioServerTransport());

// The SDK does not end the process when the host goes away.
process.stdin.once('close', () => {
  catalog.close();
  void server.close();
});
