// Packages from npm in folders of their own, kept from run to run: neither ours nor each other's versions get in the way.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../src/values/result.ts';
import { runCommand } from './run-command.ts';

export interface Installed {
  /** Has `node_modules`. */
  readonly folder: string;
  /** Their programs. */
  readonly bin: string;
  /** Of the first package. */
  readonly version: string;
}

const INSTALL_MS = 900_000;

/** `packages` as npm takes them, the one that matters first: `['opencode-ai@1.18.33', 'node@22']`. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<Result<Installed, string>> {
  const list = join(folder, 'installed.json');
  if (!existsSync(list) || readFileSync(list, 'utf8') !== JSON.stringify(packages)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const { code, printed } = await runCommand(
      ['npm', 'install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages],
      { folder, environment: npmEnvironment(), limitMs: INSTALL_MS },
    );
    if (code !== 0) return fail(`npm install ended with ${code}: ${firstErrors(printed)}`);
    writeFileSync(list, JSON.stringify(packages));
  }
  return ok({ folder, bin: join(folder, 'node_modules', '.bin'), version: readVersion(folder, packages[0] ?? '') });
}

/** The same package in its newest version; a Node that was asked for stays. */
export const newestOf = (wanted: string): string =>
  wanted.startsWith('node@') ? wanted : `${packageName(wanted)}@latest`;

/** `@scope/name@1.2` → `@scope/name`. */
const packageName = (wanted: string): string => wanted.replace(/(?<=.)@[^@/]*$/, '');

function readVersion(folder: string, wanted: string): string {
  const text = readFileSync(join(folder, 'node_modules', packageName(wanted), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version; // every package has one
}

/** npm run by npm sees the settings of that run; a fresh one does not. */
const npmEnvironment = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('npm_') ? [] : [[name, value]],
    ),
  ),
  // Parts for graphics cards, of hundreds of megabytes, that a host may bring and no walk needs.
  ONNXRUNTIME_NODE_INSTALL: 'skip',
  ONNXRUNTIME_NODE_INSTALL_CUDA: 'skip',
});

const firstErrors = (printed: string): string =>
  printed
    .split('\n')
    .map((line) => line.replace(/^npm error ?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('npm warn'))
    .slice(0, 6)
    .join('; ')
    .slice(0, 600);
