// The plain way to serve a folder of skills: the official SDK with its Skills extension, and a watcher. node sdk-server.mjs DIR
import { watch } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const folder = process.argv[2] ?? '.';
const skills = await loadSkills(folder);
let waiting;
watch(folder, { recursive: true }, () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => skills.reload().catch(console.error), 50);
});
serveStdio(() => {
  const server = new McpServer({ name: 'plain', version: '1.0.0' });
  skills.attach(server);
  return server;
});
