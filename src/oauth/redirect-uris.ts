// Where a client may send the browser back to (O2), and whether an address is one of those that it named (O4). Pure.

/** `http` on this machine: the port is the client's choice of the moment (RFC 8252). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/;
const MOST_LENGTH = 2_048;
/** What a browser would run, open or show by itself: refused from every client. */
const NEVER = /^(?:javascript|data|vbscript|file|blob|about|view-source|filesystem|ws|wss|ftp|http|https):$/;

/** Ends the sentence "redirect_uris: …"; `undefined`: it will do. `schemes`: those of programs, that the operator listed. */
export function redirectUriFault(uri: unknown, schemes: readonly string[]): string | undefined {
  if (typeof uri !== 'string' || uri.length > MOST_LENGTH || !/^[\x21-\x7e]+$/.test(uri)) return 'must be an address';
  if (/["'<>\\^`{|}]/.test(uri)) return 'has characters that no address has';
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined) return 'must be an address';
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not have a user or a password';
  if (url.protocol === 'https:') return isPlainHost(uri, url) ? undefined : 'must name a host';
  if (LOOPBACK.test(uri)) return undefined;
  if (url.protocol === 'http:') return 'must be https, or http on this machine';
  if (NEVER.test(url.protocol)) return 'has a scheme that is never taken';
  return schemes.includes(url.protocol.slice(0, -1))
    ? undefined
    : 'has a scheme that the operator of this server has not listed';
}

/** A name that stands for many is none; and without exactly two slashes a browser finds one where no one wrote it. */
const isPlainHost = (uri: string, { hostname }: URL): boolean =>
  /^https:\/\/[^/?]/i.test(uri) && hostname !== '' && !hostname.includes('*');

/** Letter by letter; on this machine with any port. */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  registered.some((each) => each === uri || isSameOnLoopback(each, uri));

function isSameOnLoopback(one: string, other: string): boolean {
  const [, host, , rest] = LOOPBACK.exec(one) ?? [];
  const [, otherHost, port = '80', otherRest] = LOOPBACK.exec(other) ?? [];
  return host !== undefined && host === otherHost && rest === otherRest && Number(port) <= 65_535;
}

/** How the page names it: the host, or the scheme of a program. */
export function destinationOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`;
}

/**
 * What a policy of the page lets a form lead to. Chromium looks at redirects, too, also at those of the client, which may go on to
 * a page at another host of its maker; and it knows no address of version 6.
 */
export function formActionOf(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') return protocol;
  return `${hostname.startsWith('[') ? protocol : origin} https:`;
}

export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined);
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
