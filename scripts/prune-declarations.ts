// Removes the declarations that no entry of the package leads to: nobody can import what they describe, and each would be a
// file to download.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `import … from './a.ts'`, `export … from './a.js'`, `import('./a.ts')`, `import './a.ts'`. */
const REFERENCES = /(?:from |import\(|import )['"](\.[^'"]+)['"]/g;

/** Paths as Node writes them, both below the same folder. */
export function pruneDeclarations(folder: string, entries: readonly string[]): void {
  const needed = new Set<string>();
  for (const entry of entries) enter(entry, needed);
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
  const unneeded = all.map((path) => join(folder, path)).filter((path) => !needed.has(path));
  for (const path of unneeded) rmSync(path);
}

function enter(path: string, needed: Set<string>): void {
  if (needed.has(path)) return;
  if (!existsSync(path)) throw new Error(`Cannot prune the declarations: ${path} is not there`);
  needed.add(path);
  for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(REFERENCES)) {
    enter(join(dirname(path), from.replace(/\.[jt]s$/, '.d.ts')), needed);
  }
}
