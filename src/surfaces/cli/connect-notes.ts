// What `connect` has done or would do, as a value, and what a person should know about it: a sentence each. Pure.
import { isAbsolute } from 'node:path';
import { badRootText } from '../../app/bad-roots.ts';
import type { ObstacleCause } from '../../hosts/check/attempt.ts';
import type { HostChange } from '../../hosts/connect/connect-host.ts';
import { maskUrl } from '../../hosts/connect/entry.ts';
import { type ConnectTarget, type Program, type Remote, tokenVariable } from '../../hosts/connect/host-entry.ts';
import type { ConfigScope, ConnectableHost } from '../../hosts/connect/host-files.ts';
import { counted } from '../../text/counted.ts';
import type { ReachedServer } from './connect-address.ts';
import type { Served, TypedSources } from './connect-served.ts';

/** The text and --json show the same. */
export interface ConnectReport {
  readonly host: ConnectableHost;
  readonly scope: ConfigScope;
  readonly server: ConnectTarget | undefined;
  /** `undefined`: the host is not to start this program. */
  readonly served: Served | undefined;
  /** What came of trying a running server; `undefined`: the host starts the program itself. */
  readonly reached: ReachedServer | undefined;
  /** What the host waits for before it uses the entry. */
  readonly needs: readonly string[];
  /** The command that tries the entry. */
  readonly checkLine: string;
  readonly change: HostChange;
  readonly isHere: boolean;
  /** It was given by an option, which is not passed on. */
  readonly hasDatabaseUrl: boolean;
  /** About the place where a new file is made. */
  readonly warning: string | undefined;
  readonly showPath: (path: string) => string;
}

export const isChange = ({ action }: HostChange): boolean => action !== 'unchanged' && action !== 'absent';

/** More would bury the rest. */
const foldersShown = 6;

/** In one line; nothing when there is nothing to serve, which is a note. */
export function servedLines({ served, showPath }: ConnectReport): readonly string[] {
  if (served === undefined) return [];
  const typed = typedParts(served.typed, showPath);
  const parts = [...documentParts(served, typed.length === 0 ? 'skill' : 'document skill'), ...typed];
  return parts.length === 0 ? [] : [`Serves ${parts.join('; ')}`];
}

function documentParts({ skillCount, folders }: Served, word: string): readonly string[] {
  if (skillCount === 0) return [];
  const filled = folders.filter(({ skills }) => skills > 0);
  const isOne = filled.length === 1;
  const places = filled.map(({ label, skills }) => (isOne ? label : `${skills} in ${label}`));
  return [`${counted(skillCount, word)} (${shortList(places)})`];
}

function typedParts({ config, builtin }: TypedSources, showPath: ConnectReport['showPath']): readonly string[] {
  return [
    ...(config === undefined || config.isMissing ? [] : [`the typed skills of ${showPath(config.path)}`]),
    ...(builtin === 'all' ? ['all built-in skills'] : []),
    ...(builtin !== 'all' && builtin.length > 0 ? [counted(builtin.length, 'built-in skill')] : []),
  ];
}

export function notesOn(report: ConnectReport): readonly string[] {
  const { host, server, served, change, isHere, hasDatabaseUrl, warning } = report;
  if (server === undefined) return [];
  return [
    ...(isHere || !isChange(change) ? [] : [`${host.title} does not seem to be installed here.`]),
    ...(host.config.needs === undefined ? [] : [host.config.needs]),
    ...(warning === undefined ? [] : [`${warning}.`]),
    ...('command' in server
      ? [
          ...(served ? servedNotes(served, report.showPath) : []),
          ...cacheNotes(server),
          ...projectNotes(report, server),
          ...(hasDatabaseUrl ? [databaseNote(report)] : []),
        ]
      : [...endpointNotes(report, server), ...tokenNotes(report, server)]),
  ];
}

function servedNotes(served: Served, showPath: ConnectReport['showPath']): readonly string[] {
  const { skillCount, typed, folders, badRoots, unknownPins, doctor } = served;
  const looked = shortList(folders.map(({ label }) => label));
  return [
    ...(typed.config?.isMissing
      ? [`--config ${showPath(typed.config.path)}: there is no such file; the server does not start without it.`]
      : []),
    ...(skillCount === 0 && typed.config === undefined && typed.builtin.length === 0
      ? [`there are no skills to serve yet. Looked in ${looked}; \`${doctor}\` shows more.`]
      : []),
    ...badRoots.map((root) => `${badRootText(root)}.`),
    ...unknownPins.map(
      ({ name, nearest }) => `--pin ${name}: no skill has this name${nearest ? `; did you mean "${nearest}"?` : '.'}`,
    ),
  ];
}

/** What npx fetches for one run is thrown away at some time. */
function cacheNotes({ command, args }: Program): readonly string[] {
  return [command, ...args].some((word) => /[\\/]_npx[\\/]/.test(word))
    ? [
        'the program is in the npx cache, which can be cleared at any time: install it first (npm install -g), then connect again.',
      ]
    : [];
}

function projectNotes({ host, scope, served, change }: ConnectReport, { command, args }: Program) {
  const knowsProject = args.includes('--project') || served?.looksInProject !== true;
  if (scope === 'user') return knowsProject ? [] : projectSkillNotes(served);
  if (!isChange(change)) return [];
  const ofProgram = [command, ...args.slice(0, args.indexOf('mcp'))].some(isAbsolute);
  const path = ofProgram ? 'the path of the program on this machine' : 'a path on this machine';
  return [
    ...(knowsProject
      ? []
      : [`the server sees the skills in ./… only if ${host.title} starts it in the project folder.`]),
    ...(ofProgram || args.some(isAbsolute)
      ? [`the entry contains ${path}: keep the file out of version control.`]
      : []),
  ];
}

/** The status screen says the same. */
function projectSkillNotes({ skillsOfProject, folders }: Served): readonly string[] {
  if (skillsOfProject === 0) return [];
  const labels = folders.filter(({ isOfProject, skills }) => isOfProject && skills > 0).map(({ label }) => label);
  return [`started in another folder, the server sees the skills in ${shortList(labels)} only with --project DIR.`];
}

const databaseNote = ({ host }: ConnectReport): string =>
  `--database-url is not written to the entry, because it may contain a password. Set DATABASE_URL in the environment that ${host.title} starts the server with.`;

const endpointNotes = ({ reached }: ConnectReport, { url }: Remote): readonly string[] =>
  reached?.isCorrected ? [`the entry uses the address of the MCP endpoint: ${maskUrl(url)}`] : [];

function tokenNotes({ host, scope, change, reached, showPath }: ConnectReport, { url, token }: Remote) {
  if (token === undefined) return mayNeedToken(reached) ? [noTokenNote(host)] : [];
  const inFile = !host.config.tokenByVariable;
  const isPlain = /^http:\/\/(?!localhost\b|127\.|\[::1\])/i.test(url);
  return [
    ...(inFile ? [] : [`${host.title} reads the token from ${tokenVariable}: set it where ${host.title} is started.`]),
    ...(inFile && scope === 'project' ? ['the token is in a project file: keep it out of version control.'] : []),
    ...(inFile && change.isReadableByOthers
      ? [`other users of this machine can read the token: \`chmod 600 ${showPath(change.path)}\``]
      : []),
    ...(isPlain ? ['the token is sent unencrypted over http: use https.'] : []),
  ];
}

/** Where the server itself did not say, and the entry has none. */
function mayNeedToken(reached: ReachedServer | undefined): boolean {
  if (reached?.keepsToken) return false;
  const attempt = reached?.attempt;
  return attempt === undefined || (!attempt.ok && !TOLD.has(attempt.failure.cause));
}

const TOLD: ReadonlySet<ObstacleCause> = new Set(['token-missing', 'sign-in-needed']);

const noTokenNote = ({ title, config }: ConnectableHost): string =>
  config.tokenByVariable
    ? `the server needs a token unless it runs with --no-auth: set ${tokenVariable} and connect again; ${title} reads it from that variable.`
    : `the server needs a token unless it runs with --no-auth: set ${tokenVariable} or --token and connect again.`;

function shortList(words: readonly string[]): string {
  const more = words.length - foldersShown;
  return [...words.slice(0, foldersShown), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
