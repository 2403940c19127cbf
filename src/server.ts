// The entry for programs that start the server themselves, `repertoire/server`: what `repertoire serve` starts.
// It prints nothing, takes no signals and never ends the process.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findBadRoots } from './app/bad-roots.ts';
import { type HttpApp, startHttpApp } from './app.ts';
import { keptPromise } from './async/kept-promise.ts';
import type { Repertoire } from './repertoire/repertoire.ts';
import { NOTHING_GIVEN, resolveSettings, type Settings } from './settings/config.ts';
import { readEnvironment } from './settings/environment.ts';
import { isPostgresAddress } from './settings/store-place.ts';
import { findConfigProblem, type UserConfig } from './settings/user-config.ts';
import type { RuntimeLog } from './skills/record/runtime-log.ts';
import { openWebFolder } from './surfaces/answers/web-folder.ts';
import { isLoopbackHost } from './surfaces/http/server/host-header.ts';
import { isDuration } from './values/duration-ms.ts';

/**
 * What `startServer` serves and where: the fields of a configuration file, and the options of `repertoire serve`. Every
 * one may be left out. Paths are relative to the working directory; `~/` is the home directory.
 *
 * @example
 * const options: ServerOptions = { roots: ['./skills'], skills: [greet], port: 0, data: './data', builtin: [] };
 */
export interface ServerOptions extends UserConfig {
  /** The address to listen on; `127.0.0.1` when absent. */
  readonly host?: string;
  /** 7337 when absent; 0 takes any that is free. */
  readonly port?: number;
  /** Names, beside those of this machine, under which the server is reached. */
  readonly allowHosts?: readonly string[];
  /** `false`: no credential is needed. Only with an address that other machines cannot reach. */
  readonly auth?: boolean;
  /** Where the operator's token and the embedded database are kept; `~/.repertoire` when absent. */
  readonly data?: string;
  /** A PostgreSQL instead of the embedded database. */
  readonly databaseUrl?: string;
  /** The built-in skills to serve; all when absent. */
  readonly builtin?: 'all' | readonly string[];
  /** `false`: what runs and what is read is not recorded. */
  readonly record?: boolean;
  /** Records older than this are deleted: `90m`, `12h`, `30d`. 30 days when absent. */
  readonly keep?: string;
  /** Hears what the server has to say. Silent when absent. */
  readonly log?: RuntimeLog;
}

/**
 * A server that runs, until `close()`.
 *
 * @example
 * const running: Server = await startServer({ roots: ['./skills'], port: 0, data: './data' });
 * console.log(`${running.url}/mcp`, running.operatorToken);
 * await running.close();
 */
export interface Server {
  /** `http://127.0.0.1:7337`. MCP is at `/mcp`, the API at `/api`, the dashboard at `/`. */
  readonly url: string;
  /** Opens everything. Absent where no credential is needed and none could be kept. */
  readonly operatorToken: string | undefined;
  /** The skills that are served, to ask without HTTP. */
  readonly repertoire: Repertoire;
  /** Stops listening, lets running calls end, writes what waits to be recorded. */
  close(): Promise<void>;
}

/**
 * Starts what `repertoire serve` starts: MCP, the HTTP API and the dashboard, over document skills and typed skills. The
 * variables of the environment count as they do there (docs/cli.md). It rejects with one sentence when it cannot start.
 *
 * @example
 * const here = await startServer({ roots: ['./skills'], skills: [greet], port: 0, data: './data' });
 * const health = await fetch(`${here.url}/health`);
 * console.log(health.status);
 * await here.close();
 */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const { log = () => undefined } = options;
  const own = configOf(options);
  refuse(findConfigProblem(own));
  const settings = settingsOf(options);
  refuse(findProblem(options, settings));
  const { version, webDirectory } = readPackage();
  const app = await startHttpApp(settings, { version, log, web: openWebFolder(webDirectory), own });
  if (!app.ok) throw new Error(app.failure);
  warnOfBadRoots(app.value, log);
  const { url, operatorToken, repertoire } = app.value;
  return { url, operatorToken, repertoire, close: keptPromise(app.value.close).get };
}

/** `problem`: what is the case and what to do, as the end of a sentence. */
function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(`Cannot start the server: ${problem}`);
}

function settingsOf(options: ServerOptions): Settings {
  const { roots = [], defaultRoots = false, without = [], pin = [], allowLinks = [], allowHosts = [] } = options;
  const { host, port, auth = true, data, databaseUrl, builtin = 'all', record = true, keep } = options;
  const given = {
    ...NOTHING_GIVEN,
    roots,
    defaultRoots,
    without,
    allowLinks,
    allowHosts,
    host,
    port,
    data,
    databaseUrl,
  };
  const settings = resolveSettings({ ...given, pinned: pin, noAuth: !auth, noLog: !record, keep }, readEnvironment());
  return { ...settings, builtin };
}

/** What they have in common with a configuration file. */
function configOf(options: ServerOptions): UserConfig {
  const { skills, agents, roots, defaultRoots, without, pin, allowLinks, limits } = options;
  const fields = { skills, agents, roots, defaultRoots, without, pin, allowLinks, limits };
  // An absent field and one that is undefined mean the same.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as UserConfig;
}

function findProblem(options: ServerOptions, { http, storePlace }: Settings): string | undefined {
  const { keep = '30d' } = options;
  if (!isDuration(keep)) return 'the field "keep" is not a duration. Write "90m", "12h" or "30d".';
  if (http.noAuth && !isLoopbackHost(http.host)) {
    return 'without "auth" it may only listen on an address that other machines cannot reach. Use host: "127.0.0.1".';
  }
  if (storePlace.kind === 'postgres' && !isPostgresAddress(storePlace.url)) {
    const what = options.databaseUrl === undefined ? 'DATABASE_URL' : 'the field "databaseUrl"';
    return `${what} is not the address of a PostgreSQL. Use postgres://USER:PASSWORD@HOST/DATABASE.`;
  }
  return undefined;
}

/** The package that this file belongs to, wherever it was installed. */
function readPackage(): { readonly version: string; readonly webDirectory: string } {
  const require = createRequire(import.meta.url);
  const path = require.resolve('repertoire/package.json');
  const { version } = require(path) as { readonly version: string }; // every package has one
  return { version, webDirectory: join(dirname(path), 'dist/web') };
}

/** They are looked for again: a folder that is made later is found without a new start. */
function warnOfBadRoots({ catalog, settings }: HttpApp, log: RuntimeLog): void {
  for (const { label, isMissing } of findBadRoots(catalog, settings)) {
    const what = isMissing ? 'there is no such folder' : 'it cannot be read';
    log({ level: 'warn', message: `No skills of ${label} are served: ${what}` });
  }
}
