// The entry for programs that start the server themselves, `repertoire/server`: what `repertoire serve` starts.
// It prints nothing, takes no signals and never ends the process.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findAdaption } from './app/adapted-table.ts';
import { harmlessLog } from './app/harmless-log.ts';
import { findServeFault, type ServeFault } from './app/serve-faults.ts';
import { startHttpApp } from './app.ts';
import { keptPromise } from './async/kept-promise.ts';
import type { Repertoire } from './repertoire/repertoire.ts';
import { type Environment, NOTHING_GIVEN, placeVisible, resolveSettings, type Settings } from './settings/config.ts';
import { CONFIG_FIELDS } from './settings/config-fields.ts';
import { readEnvironment } from './settings/environment.ts';
import type { UserConfig } from './settings/user-config.ts';
import type { RuntimeLog } from './skills/record/runtime-log.ts';
import { openWebFolder } from './surfaces/answers/web-folder.ts';
import {
  durationValue,
  type FieldRule,
  findOptionProblem,
  functionValue,
  listOfTexts,
  refuse,
  textValue,
  truthValue,
} from './values/field-rules.ts';

/**
 * What `startServer` serves and where: the fields of a configuration file, and those options of `repertoire serve` that
 * say where it listens, who may call, and what is kept. `--agents`, `--project`, `--rescan`, `--show-native`, `--config`
 * and `--log required` have no counterpart here. Every field may be left out; one that is not known is refused. Paths are
 * relative to the working directory; `~/` is the home directory.
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
  /** `true`: hosts sign in by OAuth, on this machine. Beyond it, name a `publicUrl`. */
  readonly oauth?: boolean;
  /** The address by which clients reach the server, such as `https://skills.example.com`: hosts sign in by OAuth there. */
  readonly publicUrl?: string;
  /** Tokens of this issuer are accepted instead; needs `audience`. */
  readonly issuer?: string;
  /** What the tokens of `issuer` are made for. */
  readonly audience?: string;
  /** The claim that has the roles in tokens of `issuer`; `roles` when absent. */
  readonly roleClaim?: string;
  /** Schemes of desktop programs that a client may return to, such as `cursor`. */
  readonly redirectSchemes?: readonly string[];
  /** `true`: descriptions of clients may come by http from this machine; for tests. */
  readonly allowLoopbackClients?: boolean;
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
  /** Receives what the server reports, one event at a time. What it throws is ignored. Silent when absent. */
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
 * Unlike the command it does not catch faults that typed skills leave in the background (a promise that is rejected later,
 * an error in a timer): what happens to the process then is the program's choice.
 *
 * @example
 * const here = await startServer({ roots: ['./skills'], skills: [greet], port: 0, data: './data' });
 * const health = await fetch(`${here.url}/health`);
 * console.log(health.status);
 * await here.close();
 */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  refuse(CANNOT, findOptionProblem('startServer', options, FIELDS));
  const log = harmlessLog(options.log);
  const environment = readEnvironment();
  const settings = settingsOf(options, environment);
  refuse(
    CANNOT,
    inProgramWords(findServeFault({ settings, environment, hasDatabaseUrl: options.databaseUrl !== undefined })),
  );
  const { version, webDirectory } = readPackage();
  const app = await startHttpApp(settings, {
    version,
    log,
    web: openWebFolder(webDirectory),
    own: configOf(options),
    adaptTable: findAdaption(options),
  });
  if (!app.ok) throw new Error(app.failure);
  const { url, operatorToken, repertoire } = app.value;
  return { url, operatorToken, repertoire, close: keptPromise(app.value.close).get };
}

const CANNOT = 'start the server';

const FIELDS = {
  ...CONFIG_FIELDS,
  host: textValue,
  port: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
      ? undefined
      : 'is not a port. Write a number from 0 to 65535.',
  allowHosts: listOfTexts,
  auth: truthValue,
  oauth: truthValue,
  publicUrl: textValue,
  issuer: textValue,
  audience: textValue,
  roleClaim: textValue,
  redirectSchemes: listOfTexts,
  allowLoopbackClients: truthValue,
  data: textValue,
  databaseUrl: textValue,
  builtin: (value) => (value === 'all' ? undefined : listOfTexts(value)),
  record: truthValue,
  keep: durationValue,
  log: functionValue,
} as const satisfies Record<keyof ServerOptions, FieldRule>;

/** How a sentence about each begins. */
const WORDS = {
  auth: '"auth: false"',
  databaseUrl: 'the field "databaseUrl"',
  allowHosts: 'an entry of the field "allowHosts"',
  trustProxy: 'an entry of the field "trustProxy"',
  oauth: '"oauth: true"',
  publicUrl: 'the field "publicUrl"',
  issuer: 'the field "issuer"',
  redirectSchemes: 'an entry of the field "redirectSchemes"',
  builtin: 'unknown built-in skill',
  DATABASE_URL: 'DATABASE_URL',
  REPERTOIRE_AI_BASE_URL: 'REPERTOIRE_AI_BASE_URL',
} as const satisfies Record<ServeFault['at'], string>;

const inProgramWords = (fault: ServeFault | undefined): string | undefined =>
  fault && `${WORDS[fault.at]} ${fault.problem}`;

function settingsOf(options: ServerOptions, environment: Environment): Settings {
  const { roots = [], defaultRoots = false, without = [], pin = [], allowLinks = [], allowHosts = [] } = options;
  const { visible = [] } = options;
  const { host, port, trustProxy = [], auth = true, data, databaseUrl, builtin = 'all', record = true, keep } = options;
  const { oauth = false, publicUrl, issuer, audience, roleClaim, redirectSchemes = [] } = options;
  const { allowLoopbackClients = false } = options;
  const given = {
    ...NOTHING_GIVEN,
    oauth,
    publicUrl,
    issuer,
    audience,
    roleClaim,
    redirectSchemes,
    allowLoopbackClients,
    roots,
    defaultRoots,
    without,
    allowLinks,
    allowHosts,
    trustProxy,
    host,
    port,
    data,
    databaseUrl,
  };
  const settings = resolveSettings({ ...given, pinned: pin, noAuth: !auth, noLog: !record, keep }, environment);
  return { ...settings, builtin, visible: visible.map((entry) => placeVisible(entry, environment)) };
}

/** What they have in common with a configuration file. */
function configOf(options: ServerOptions): UserConfig {
  const { skills, agents, roots, defaultRoots, without, visible, pin, allowLinks, trustProxy, limits, ownership } =
    options;
  const { approvalFor, schedules } = options;
  const fields = { skills, agents, roots, defaultRoots, without, pin, allowLinks, trustProxy, limits, ownership };
  const more = { visible, approvalFor, schedules };
  // An absent field and one that is undefined mean the same.
  return Object.fromEntries(
    Object.entries({ ...fields, ...more }).filter(([, value]) => value !== undefined),
  ) as UserConfig;
}

/** The package that this file belongs to, wherever it was installed. */
function readPackage(): { readonly version: string; readonly webDirectory: string } {
  const require = createRequire(import.meta.url);
  // From src/ and from dist/lib/, which has a package.json of its own that only says what its files are.
  const up = import.meta.url.endsWith('.ts') ? '..' : '../..';
  const { version } = require(`${up}/package.json`) as { readonly version: string }; // every package has one
  return { version, webDirectory: join(import.meta.dirname, up, 'dist/web') };
}
