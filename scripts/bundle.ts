// Makes the bundle for desktop hosts: the packed package with what it depends on, and a manifest, checked and packed by the tool of
// the format. `npm run bundle [FILE]`; it needs npm's registry.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installPacked, packProgram, run } from '../tests/support/packed-program.ts';
import { type BundledPackage, bundleManifest } from './bundle-manifest.ts';

const TOOL = '@anthropic-ai/mcpb@2.1.2';

const own: BundledPackage = JSON.parse(readFileSync('package.json', 'utf8'));
const file = resolve(process.argv[2] ?? `${own.name}-${own.version}-${process.platform}-${process.arch}.mcpb`);
const place = mkdtempSync(join(tmpdir(), 'repertoire-bundle-'));
const installed = installPacked(packProgram(place).tarball, process.execPath);
try {
  const folder = join(place, 'bundle');
  mkdirSync(folder);
  cpSync(join(installed.folder, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(bundleManifest(own, process.platform), null, 2)}\n`);
  ask(['validate', join(folder, 'manifest.json')]);
  ask(['pack', folder, file]);
  process.stdout.write(`${file}\n`);
} finally {
  installed.remove();
  rmSync(place, { recursive: true, force: true });
}

function ask(words: readonly string[]): void {
  const { code, stdout, stderr } = run('npx', ['--yes', TOOL, ...words], place, process.env);
  if (code !== 0) throw new Error(`Cannot make the bundle: ${stdout}${stderr}`);
}
