// Which Host a request may name, and which Origin may send it: the answer to DNS rebinding and to foreign pages (H4).
import { isIP } from 'node:net';

export interface HostOptions {
  /** What the server listens on: an address or a name. */
  readonly host: string;
  /** Names that the operator gave with `--allow-host`. */
  readonly allowHosts: readonly string[];
}

export interface HostCheck {
  /** Whether this `Host` header names us. Any port: it is the client's business how it got here. */
  readonly allows: (hostHeader: string) => boolean;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Headers that were seen and found good: almost every request repeats one of them. */
const MAX_REMEMBERED = 100;

export function createHostCheck({ host, allowHosts }: HostOptions): HostCheck {
  const beyond = !isLoopbackHost(host);
  const names = new Set([...LOOPBACK_NAMES, ...[host, ...allowHosts].map(asWritten)]);
  const remembered = new Set<string>();
  return {
    allows: (header) => {
      if (remembered.has(header)) return true;
      const name = nameIn(header);
      if (name === undefined) return false;
      // An address cannot be rebound: a request that names one was meant for this machine.
      if (!names.has(name) && !(beyond && isAddress(name))) return false;
      if (remembered.size < MAX_REMEMBERED) remembered.add(header);
      return true;
    },
  };
}

/** A page may call us only from our own origin: scheme aside, it must be what the request's Host says. */
export function isSameOrigin(origin: string, hostHeader: string): boolean {
  const authority = /^https?:\/\/([^/\\?#@\s]+)$/i.exec(origin)?.[1];
  return authority !== undefined && authority.toLowerCase() === hostHeader.toLowerCase();
}

/** Of what a server listens on. */
export const isLoopbackHost = (host: string): boolean => {
  const name = host.toLowerCase();
  return name === 'localhost' || (isIP(bare(name)) !== 0 && isLoopbackAddress(bare(name)));
};

/** Of the other end of a connection, as Node writes it. */
export const isLoopbackAddress = (address: string): boolean =>
  address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');

/** `name`, `name:port`, `[address]`, `[address]:port`, and nothing else. */
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i;

const nameIn = (header: string): string | undefined => HOST.exec(header)?.[1]?.toLowerCase();

/** As a Host header writes it: in lower case, an IPv6 address in brackets, no port. */
function asWritten(host: string): string {
  const lower = host.trim().toLowerCase();
  if (isIP(lower) === 6) return `[${lower}]`;
  return nameIn(lower) ?? lower;
}

const isAddress = (name: string): boolean => isIP(bare(name)) !== 0;

const bare = (name: string): string => (name.startsWith('[') ? name.slice(1, -1) : name);
