// What a SOURCE is: a git repository by its address, a directory with one, or an origin that serves an index (S1). Pure.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { parseIpAddress } from '../values/ip-address.ts';
import { fail, ok, type Result } from '../values/result.ts';
import type { GitPlace } from './git/repository.ts';

/** `git`: what git is told to fetch from. `index`: the origin that serves the index. */
export type SourcePlace = ({ readonly kind: 'git' } & GitPlace) | { readonly kind: 'index'; readonly origin: string };

export interface SourceBase {
  /** Absolute: what a relative directory in the lock is relative to. */
  readonly project: string;
}

const LONGEST = 2_048;
const CREDENTIAL = 'it has a credential in it; leave it out, and let your git configuration give it';
const CONTROL = /[\p{Cc}\p{Surrogate}]/u;

/** What is refused before anything is started: half a sentence. */
export function addressFault(source: string): string | undefined {
  if (source === '') return 'it is empty';
  if (source.length > LONGEST) return `it has more than ${LONGEST} characters`;
  if (source.startsWith('-')) return 'it begins with "-"';
  if (CONTROL.test(source)) return 'it has a control character';
  // Also where the rest of it is no address: in quotes, behind another word, or without its scheme.
  if (/[/\\]{2}[^/\\@]*:[^/\\]*@/.test(source)) return CREDENTIAL;
  const found = placeOf(source, { project: '/' });
  return found.ok ? undefined : found.failure;
}

export interface NameBase extends SourceBase {
  /** What was typed is relative to it. */
  readonly workingDirectory: string;
  readonly home: string;
  /** Where a directory really is: the project, or what was typed, may be named through a link. */
  readonly realPathOf: (path: string) => string;
}

/** As it stands in the lock: a directory inside the project relative to it, one elsewhere whole (S2). */
export function lockedName(source: string, { project, workingDirectory, home, realPathOf }: NameBase): string {
  if (source === '' || !isDirectoryName(source)) return tidyAddress(source);
  const expanded = source === '~' || source.startsWith('~/') ? home + source.slice(1) : source;
  const path = resolve(workingDirectory, expanded);
  return nameBelow(project, path) ?? nameBelow(realPathOf(project), realPathOf(path)) ?? path;
}

/** `undefined`: it lies elsewhere. */
function nameBelow(project: string, path: string): string | undefined {
  const below = relative(project, path);
  if (below === '') return '.';
  const isInside = below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  return isInside ? below.split(sep).join('/') : undefined;
}

/** An origin is written without a slash, a repository at GitHub without its ending: one place has one name. */
function tidyAddress(source: string): string {
  if (source.startsWith('github:')) return source.replace(/\.git$/, '');
  const url = /^https?:/i.test(source) && URL.canParse(source) ? new URL(source) : undefined;
  const isOrigin = url?.pathname === '/' && url.search + url.hash + url.username + url.password === '';
  return isOrigin ? url.origin : source;
}

/** Where to fetch it from; the failure is half a sentence. */
export function placeOf(source: string, base: SourceBase): Result<SourcePlace, string> {
  if (isDirectoryName(source)) return directoryPlace(resolve(base.project, source));
  const github = /^github:(.*)$/.exec(source)?.[1];
  if (github !== undefined) return githubPlace(github);
  if (SCP.test(source)) return ok({ kind: 'git', url: source, isLocal: false });
  return urlPlace(source);
}

/** What stands before another `@` is a password, and not the beginning of a path. */
const SCP = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?![/-]*$)(?!\/\/)(?![^/]*@)[^\s-][^\s]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

const isDirectoryName = (source: string): boolean =>
  !SCHEME.test(source) && !SCP.test(source) && !/^[^/]*@[^/]*:/.test(source);

const directoryPlace = (directory: string): Result<SourcePlace, string> =>
  ok({ kind: 'git', url: directory, isLocal: true, directory });

function githubPlace(name: string): Result<SourcePlace, string> {
  const isName = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/(?![.-])[\w.-]{1,100}$/.test(name) && !name.includes('..');
  if (!isName) return fail('write github:OWNER/REPO');
  return ok({ kind: 'git', url: `https://github.com/${name.replace(/\.git$/, '')}.git`, isLocal: false });
}

function urlPlace(source: string): Result<SourcePlace, string> {
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url === undefined)
    return fail('it is no address; write github:OWNER/REPO, https://….git, ssh://…, a directory, or an origin');
  // Read otherwise by git than here: what was looked at would not be what is asked.
  const shared =
    url.protocol !== 'file:' && /[\\\s]/.test(source)
      ? 'it has a backslash or a blank'
      : (credentialFault(source, url) ?? queryFault(url));
  if (shared !== undefined) return fail(shared);
  const place = BY_SCHEME[url.protocol];
  return place ? place(source, url) : fail(`${url.protocol}// is no way to fetch skills; use https, ssh or file`);
}

const queryFault = (url: URL): string | undefined =>
  url.search || url.hash ? 'it has a query or a fragment' : undefined;

/** A user name alone is how ssh says whom to be there; over https it is half a credential. */
function credentialFault(source: string, url: URL): string | undefined {
  const hasPassword = url.password !== '' || /^[^/]*\/\/[^/]*:[^/]*@/.test(source);
  if (hasPassword || (url.username !== '' && url.protocol !== 'ssh:')) return CREDENTIAL;
  return undefined;
}

const BY_SCHEME: Readonly<Record<string, (source: string, url: URL) => Result<SourcePlace, string>>> = {
  'https:': (_source, url) => webPlace(url),
  'http:': (_source, url) =>
    isLoopback(url.hostname) ? webPlace(url) : fail('http:// is for this machine only; use https'),
  'ssh:': sshPlace,
  'file:': filePlace,
};

/** Git takes what the codes in it stand for. */
function sshPlace(source: string, url: URL): Result<SourcePlace, string> {
  const host = decoded(url.hostname);
  const user = decoded(url.username);
  const path = decoded(url.pathname);
  if (host === undefined || user === undefined || path === undefined) return fail(NO_UTF8);
  if (CONTROL.test(host + user + path)) return fail('it has a control character');
  const isWhole = host !== '' && path.length > 1 && !host.startsWith('-') && !user.startsWith('-');
  return isWhole ? ok({ kind: 'git', url: source, isLocal: false }) : fail('write ssh://git@HOST/PATH');
}

const NO_UTF8 = 'its percent-encoding is not valid UTF-8';

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return undefined;
  }
}

function webPlace(url: URL): Result<SourcePlace, string> {
  if (url.pathname === '/') return ok({ kind: 'index', origin: url.origin });
  // As it was read here: git takes "https:host/x.git" for a host of ssh that is called "https".
  if (/\.git\/?$/.test(url.pathname)) return ok({ kind: 'git', url: url.href, isLocal: false });
  const [, owner, repository] = url.pathname.split('/');
  const instead = url.hostname === 'github.com' && repository ? `; write github:${owner}/${repository}` : '';
  return fail(`it names neither a repository (https://….git) nor a whole origin${instead}`);
}

function filePlace(source: string, url: URL): Result<SourcePlace, string> {
  if (!source.startsWith('file:///') || url.hostname !== '') return fail('write file:///PATH');
  const directory = decoded(url.pathname);
  if (directory === undefined) return fail(NO_UTF8);
  if (CONTROL.test(directory)) return fail('it has a control character');
  return ok({ kind: 'git', url: directory, isLocal: true, directory });
}

/** 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost') return true;
  const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, '$1'));
  if (address === undefined) return false;
  return address.bits === 32 ? address.value >> 24n === 127n : address.value === 1n;
}

/** A ref or a path that is handed to git: half a sentence of what is wrong with it (S5). */
export function wordFault(word: string): string | undefined {
  if (word === '') return 'it is empty';
  if (word.startsWith('-')) return 'it begins with "-"';
  if (CONTROL.test(word)) return 'it has a control character';
  return word.length > LONGEST ? `it has more than ${LONGEST} characters` : undefined;
}

/** For a message: without what stands where a user name and a password would, even if it is only one of them, nor a query. */
export function withoutUser(source: string): string {
  const isAddress = /^[\s'"]*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})|[/\\]{2}[^/\\@]*:[^/\\]*@|^[^/]*@[^/]*:/i.test(source);
  if (!isAddress || ORDINARY_USER.test(source)) return source;
  return source
    .replace(/^([\s'"]*(?:[\w=:+.-]*:[/\\]+|[a-z][a-z0-9+.-]*:)?).*@/is, '$1[redacted]@')
    .replace(/([?#]).*$/s, '$1[redacted]');
}

/** Whom to be at a host of ssh is no secret. */
const ORDINARY_USER = /^(?:ssh:\/\/[\w.-]*@[^@?#]*|[\w.-]+@[\w.-]+:[^@?#]*)$/i;

/** What is left of a path as people type it: `./skills/` is `skills`. `undefined`: it leaves the source. */
export function cleanPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\\') || parts.includes('..')) return undefined;
  return parts.length === 0 ? '.' : parts.join('/');
}
