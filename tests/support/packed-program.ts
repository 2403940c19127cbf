// The package as npm publishes it: packed from the built tree, installed into an empty folder, run with an empty home.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { PATIENCE_MS } from './patience.ts';

export interface Packed {
  readonly tarball: string;
  /** Bytes that are downloaded, and bytes on the disk. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Installed {
  /** The folder that was empty before. */
  readonly folder: string;
  readonly home: string;
  /** Our package in its node_modules. */
  readonly own: string;
  /** Its package.json. */
  readonly manifest: Manifest;
  readonly node: string;
  /** What a host gives to a program that it starts: the chosen Node is first on the PATH, we are not on it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs the command as `npx repertoire …` does, in our package's folder unless told otherwise. */
  run(words: readonly string[], cwd?: string): Ended;
  remove(): void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const unreachable = /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;
/** No question of ours but "does it install": and a registry that is away is told in seconds, not in minutes. */
const quiet = [
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
];

/** Packs dist/ as it was built last. Nothing is built here: `npm test` and `npm run package` did that before. */
export function packProgram(into: string): Packed {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
  const { code, stdout, stderr } = run('npm', words, process.cwd(), process.env);
  if (code !== 0) throw new Error(`Cannot pack the package: npm ended with ${code}: ${stderr}`);
  const report = JSON.parse(stdout);
  // An array in npm 10 and 11, an object by package name after that.
  const [packed] = Object.values<Packed & { readonly filename: string }>(report);
  if (packed === undefined) throw new Error(`Cannot pack the package: npm said ${stdout}`);
  if (!packed.files.some(({ path }) => path === 'dist/cli.js'))
    throw new Error('Cannot pack the package: dist/cli.js is missing; run npm run build');
  return { ...packed, tarball: join(into, packed.filename) };
}

export function installPacked(tarball: string, node = process.execPath, options: readonly string[] = []): Installed {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-packed-')));
  const [folder, home] = [join(place, 'app'), join(place, 'home')];
  mkdirSync(folder);
  mkdirSync(home);
  const path = [dirname(node), process.env.PATH ?? ''].join(delimiter);
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    install(tarball, folder, { ...process.env, PATH: path }, options);
  } catch (error) {
    remove();
    throw error;
  }
  const environment = { PATH: path, HOME: home };
  const own = join(folder, 'node_modules/repertoire');
  const typed = { ...environment, PATH: [join(folder, 'node_modules/.bin'), path].join(delimiter) };
  return {
    folder,
    home,
    own,
    manifest: JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')),
    node,
    environment,
    run: (words, cwd = own) => run('repertoire', words, cwd, typed),
    remove,
  };
}

/** With npm's own settings and cache, because a registry may be reached only through them. */
function install(tarball: string, folder: string, env: NodeJS.ProcessEnv, options: readonly string[]): void {
  const strict = ['--ignore-scripts', '--engine-strict', '--prefer-offline', '--no-save'];
  const words = ['install', '--prefix', folder, ...quiet, ...strict, ...options, resolve(tarball)];
  const { code, stderr } = run('npm', words, folder, env);
  if (code === 0) return;
  const fault = unreachable.exec(stderr)?.[1];
  throw new Error(
    fault === undefined
      ? `Cannot install the package: npm ended with ${code}: ${stderr}`
      : `Cannot install the package: npm's registry cannot be reached (${fault}); this test needs it, because it installs what users install`,
  );
}

export function run(command: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Ended {
  const options = { cwd, env, encoding: 'utf8', timeout: 2 * PATIENCE_MS } as const;
  const { status, stdout, stderr, error } = spawnSync(command, words, options);
  if (error !== undefined) throw error;
  return { code: status, stdout, stderr };
}
