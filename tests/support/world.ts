// A temporary home and project in which the built program is started as a host starts it. Nothing of it outlives close().
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PATIENCE_MS } from './patience.ts';
import { RawClient, type Server, startServerProcess } from './raw-client.ts';
import { serveHere } from './served-here.ts';

export interface ServeOptions {
  /** Arguments after `mcp`. */
  readonly args?: readonly string[];
  /** Default: the project. */
  readonly cwd?: string;
  /** Run as a user whom file permissions bind: root reads everything. */
  readonly unprivileged?: boolean;
  /** False: the test shakes hands itself. */
  readonly greet?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const program = resolve('dist/cli.js');

const nobody = 65534;

export class World {
  /** Holds home and project. Its real path, so that it can be compared with what the program says. */
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-contract-')));
  readonly home = join(this.path, 'home');
  readonly project = join(this.path, 'project');
  /** The project's first default root. Not made until a skill is written. */
  readonly skills = join(this.project, '.agents/skills');
  // Nothing of the developer's own set-up: NODE_OPTIONS, colours and the real home would change what is seen.
  readonly environment: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: this.home };
  readonly #clients: RawClient[] = [];
  readonly #apart: boolean;

  /** `apart`: serve with the built program in a process of its own; else the same is served in this one, which is faster. */
  constructor({ apart = false } = {}) {
    this.#apart = apart;
    mkdirSync(this.home);
    mkdirSync(this.project);
  }

  /** Serves as `repertoire mcp` does and does the 2025 handshake, unless `greet` is false. */
  async serve(options: ServeOptions = {}): Promise<RawClient> {
    const client = new RawClient(this.#startServer(options));
    this.#clients.push(client);
    if (options.greet !== false) await client.greet();
    return client;
  }

  #startServer({ args = [], cwd = this.project, unprivileged = false }: ServeOptions): Server {
    if (!this.#apart && !unprivileged)
      return serveHere(args, { home: this.home, workingDirectory: cwd, variables: this.environment });
    const asNobody = unprivileged && process.getuid?.() === 0;
    return startServerProcess([asNobody ? this.#readableProgram() : program, 'mcp', ...args], {
      cwd,
      env: this.environment,
      ...(asNobody ? { uid: nobody, gid: nobody } : {}),
    });
  }

  /** Runs a command of the program to its end. */
  run(...args: readonly string[]): Ended {
    const options = { cwd: this.project, env: this.environment, encoding: 'utf8', timeout: PATIENCE_MS } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
    return { code: status, stdout, stderr };
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.stop()));
    rmSync(this.path, { recursive: true, force: true });
  }

  /** A copy that nobody can read: the checkout may lie below a private folder. */
  #readableProgram(): string {
    chmodSync(this.path, 0o755);
    cpSync(resolve('dist'), join(this.path, 'dist'), { recursive: true });
    return join(this.path, 'dist/cli.js');
  }
}
