// A world for one run of a host: a home, a project, one skill, and our server as the host is to meet it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServeProcess } from '../../tests/support/serve-process.ts';
import { endLeftovers } from './end-leftovers.ts';
import { type Ran, runCommand } from './run-command.ts';
import { writeSkill } from './tool-steps.ts';

export type Transport = 'stdio' | 'http';

/** Where our server is: a program to start, or an address with a token. */
type Target =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly token: string };

export interface Load {
  readonly skill_name: string;
  readonly surface: string;
  readonly client: string;
}

export interface HostWorld {
  readonly home: string;
  readonly project: string;
  readonly target: Target;
  /** In the project, with the home and the programs of this world. */
  run(words: readonly string[], environment?: Readonly<Record<string, string>>, input?: string): Promise<Ran>;
  /** `repertoire connect HOST`, to the server of this world. */
  connect(host: string): Promise<Ran>;
  /** `repertoire connect HOST --check`. */
  check(host: string): Promise<Ran>;
  /** Prints the log of the server. */
  readonly log: readonly string[];
  /** What it says. */
  readLoads(): Promise<readonly Load[]>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Hosts of 400 MB take minutes to start on a busy machine. */
const HOST_MS = 900_000;
const AGENT = 'hosts-walk';

/** `bin` has programs that come before all others. */
export async function openHostWorld(transport: Transport, bin?: string): Promise<HostWorld> {
  const place = mkdtempSync(join(tmpdir(), 'repertoire-hosts-'));
  const [home, project, skills, data] = ['home', 'project', 'skills', 'data'].map((name) => join(place, name)) as [
    ...[string, string, string, string], // as many as names
  ];
  for (const folder of [home, project, data]) mkdirSync(folder);
  writeSkill(skills);
  const clear = (): void => {
    endLeftovers(home);
    rmSync(place, { recursive: true, force: true });
  };
  // Also when the run is interrupted.
  process.once('exit', clear);
  const path = [bin === undefined ? [] : [bin], process.env.PATH ?? ''].flat().join(delimiter);
  const own = { PATH: path, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' };
  const run: HostWorld['run'] = (words, environment = {}, input = '') =>
    runCommand(words, { folder: project, environment: { ...own, ...environment }, limitMs: HOST_MS, input });
  const program = (...words: readonly string[]) => run([process.execPath, PROGRAM, ...words]);
  const log = [process.execPath, PROGRAM, 'log', '--loads', '--json', '--data', data];
  const options = ['--root', skills, '--data', data];
  const server = transport === 'http' ? await startServeProcess(options, own) : undefined;
  const target: Target =
    server === undefined
      ? { command: process.execPath, args: [PROGRAM, 'mcp', ...options] }
      : { url: server.mcp_url, token: await addAgent(await program('agent', 'add', AGENT, '--data', data, '--json')) };
  return {
    home,
    project,
    target,
    log,
    run,
    connect: (host) =>
      'url' in target
        ? run([process.execPath, PROGRAM, 'connect', host, '--http', target.url], { REPERTOIRE_TOKEN: target.token })
        : program('connect', host, ...options),
    check: (host) => program('connect', host, '--check'),
    readLoads: async () => {
      const { code, printed } = await run(log);
      if (code !== 0) return []; // while the server makes its tables
      return (JSON.parse(printed) as { readonly loads: readonly Load[] }).loads; // as `log --json` prints them
    },
    close: async () => {
      process.off('exit', clear);
      await server?.stop();
      clear();
    },
  };
}

async function addAgent({ printed }: Ran): Promise<string> {
  return (JSON.parse(printed) as { readonly token: string }).token; // as `agent add --json` prints it
}
