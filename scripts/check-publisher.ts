// Stops `npm publish` while files still name the placeholder OWNER: the MCP registry finds a package by the account in these names.
import { readFileSync } from 'node:fs';

const FILES = ['package.json', 'server.json', 'examples/github-action/check-skills.yml'];

const unnamed = FILES.filter((file) => /\bOWNER\/repertoire\b/.test(readFileSync(file, 'utf8')));
if (unnamed.length > 0) {
  const files = unnamed.join(', ');
  process.stderr.write(
    `Cannot publish: ${files} still have OWNER for the account that publishes; put its name there (docs/releasing.md)\n`,
  );
  process.exitCode = 1;
}
