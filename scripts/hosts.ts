// Real hosts and client libraries from npm, each with our tools called through it: `npm run hosts`, `--help` says more.
// What was tried, how, and what has to come back: hosts/. Exit 1 when one fails.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fail, type Result } from '../src/values/result.ts';
import { openBrowser } from '../tests/support/browser.ts';
import { CLIENT_LIBRARIES } from './hosts/client-libraries.ts';
import type { Transport } from './hosts/host-world.ts';
import { installPackages, newestOf } from './hosts/install-packages.ts';
import { type Kind, type Outcome, renderOutcomes, updatePage, type Verdict } from './hosts/outcome-table.ts';
import { NOT_RUN, REAL_HOSTS, type RealHost } from './hosts/real-hosts.ts';
import { type Walked, walkHost } from './hosts/walk-host.ts';
import { walkLibrary } from './hosts/walk-library.ts';
import { PAGE_HOSTS, walkPage } from './hosts/walk-page.ts';

const HELP = `Run real hosts and client libraries with this server, each with a scripted model on 127.0.0.1.

Usage  npm run hosts -- [OPTIONS]

  --only NAMES        Only these, separated by commas: ${[...REAL_HOSTS, ...CLIENT_LIBRARIES].map(({ id }) => id).join(', ')}
  --transport NAME    Only stdio, or only http.
  --latest            The newest versions instead of those that are known to work.
  --cache DIR         Where packages are kept from run to run, several gigabytes in all. Default: repertoire-hosts in the
                      temporary directory.
  --write             Put the rows into docs/hosts.md.
  --page              Connect ${PAGE_HOSTS.join(', ')} by the dashboard instead, in a browser.
  --help              This text.
`;

const PAGE = fileURLToPath(new URL('../docs/hosts.md', import.meta.url));

/** What is walked, whatever it is. */
interface Walkable {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly packages: readonly string[];
  readonly transports: readonly Transport[];
  readonly walk: (installed: Parameters<typeof walkHost>[1], transport: Transport) => Promise<Result<Walked, string>>;
}

const WALKABLES: readonly Walkable[] = [
  ...REAL_HOSTS.map(
    (host): Walkable => ({
      kind: 'host',
      ...host,
      walk: (installed, transport) => walkHost(host, installed, transport),
    }),
  ),
  ...CLIENT_LIBRARIES.map(
    (library): Walkable => ({
      kind: 'library',
      ...library,
      walk: (installed, transport) => walkLibrary(library, installed, transport),
    }),
  ),
];

const NOT_INSTALLED = '(not installed)';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    transport: { type: 'string' },
    latest: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'repertoire-hosts') },
    write: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const cache = resolve(values.cache);
const wanted = readTransports(values.transport);

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  if (values.help) process.stdout.write(HELP);
  else if (values.page) await walkPages(choose(REAL_HOSTS, values.only ?? PAGE_HOSTS.join(',')));
  else await walkAll(choose(WALKABLES, values.only));
}

async function walkAll(chosen: readonly Walkable[]): Promise<void> {
  const outcomes: Outcome[] = [];
  // One after the other: each is a program of hundreds of megabytes that starts servers of its own.
  for (const each of chosen) {
    const outcome = await walkOne(each);
    outcomes.push(outcome);
    // At once: a run takes long, and what it learned stays when it is interrupted.
    if (values.write && outcome.version !== NOT_INSTALLED) writeRow(outcome);
  }
  const missing = values.only === undefined ? NOT_RUN.map(({ title, reason }) => `Not run: ${title}: ${reason}\n`) : [];
  process.stdout.write(`${renderOutcomes(outcomes)}\n${missing.join('')}`);
}

const writeRow = (outcome: Outcome): void =>
  writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8'), [outcome], today()));

async function walkOne({ kind, id, title, packages, transports, walk }: Walkable): Promise<Outcome> {
  say(`${title}: installing ${packages.join(' ')}`);
  const installed = await installPackages(join(cache, id), values.latest ? packages.map(newestOf) : packages);
  const verdicts: Partial<Record<Transport, Verdict>> = {};
  let seen: Partial<Walked> = {};
  for (const transport of transports.filter((each) => wanted.includes(each))) {
    const start = performance.now();
    // One that breaks is one that failed: the others are still run.
    const walked = installed.ok ? await walk(installed.value, transport).catch(failed) : installed;
    verdicts[transport] = walked.ok ? { isGreen: true } : { isGreen: false, reason: walked.failure };
    if (walked.ok) seen = { ...walked.value, ...seen };
    else process.exitCode = 1;
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    say(`${title}, ${transport}: ${walked.ok ? 'green' : `failed: ${walked.failure}`} (${seconds} s)`);
  }
  const version = installed.ok ? installed.value.version : NOT_INSTALLED;
  return { kind, title, version, transports: verdicts, ...seen };
}

async function walkPages(hosts: readonly RealHost[]): Promise<void> {
  const browser = await openBrowser();
  try {
    for (const host of hosts) {
      if (!('command' in host)) throw new Error(`Cannot walk ${host.id} by the page: it has no model to ask`);
      const installed = await installPackages(join(cache, host.id), host.packages);
      const walked = installed.ok ? await walkPage(host, installed.value, browser) : installed;
      if (!walked.ok) process.exitCode = 1;
      process.stdout.write(`${host.title}: ${walked.ok ? walked.value : `failed: ${walked.failure}`}\n`);
    }
  } finally {
    await browser.close();
  }
}

function choose<T extends { readonly id: string }>(all: readonly T[], names: string | undefined): readonly T[] {
  if (names === undefined) return all;
  return names.split(',').map((name) => {
    const found = all.find(({ id }) => id === name.trim());
    if (found !== undefined) return found;
    throw new Error(`Cannot run "${name}": it is not known; use ${all.map(({ id }) => id).join(', ')}`);
  });
}

function readTransports(name: string | undefined): readonly Transport[] {
  if (name === undefined) return ['stdio', 'http'];
  if (values.write) throw new Error('Cannot write a row for one transport alone: leave out --transport or --write');
  if (name === 'stdio' || name === 'http') return [name];
  throw new Error(`Cannot use the transport "${name}": it is not known; use stdio or http`);
}

const failed = (error: unknown): Result<never, string> => fail(error instanceof Error ? error.message : String(error));

const today = (): string => new Date().toISOString().slice(0, 10);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
