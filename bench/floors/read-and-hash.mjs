// Floor of the scan: reads and hashes every file below a folder, and does nothing else. Prints the CPU time in ms.
//   node read-and-hash.mjs DIR
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const before = process.cpuUsage();
readAll(process.argv[2]);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / 1000}\n`);

function readAll(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) readAll(path);
    else createHash('sha256').update(readFileSync(path)).digest('hex');
  }
}
