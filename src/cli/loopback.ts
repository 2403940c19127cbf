// Whether an address to listen on is reached from this machine alone.
import { isIP } from 'node:net';

/** `localhost`, `127.…`, `::1`. Other names may lead anywhere. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost' || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}
