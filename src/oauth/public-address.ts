// Whether an address belongs to the open Internet: not to this machine, to its networks, or to no one. Pure.
import { type IpRange, isInRange, parseIpAddress } from '../values/ip-address.ts';

function range(text: string): IpRange {
  const [address = '', prefix] = text.split('/');
  const first = parseIpAddress(address);
  if (first === undefined) throw new Error(`${text} is no range`);
  return { first, prefix: Number(prefix) };
}

/** Not of the open net: private, shared (CGNAT), loopback, link-local, for documentation, for many, reserved. */
const CLOSED_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(range);

/** The only part of IPv6 that is assigned; its ranges for tunnels and documentation may lead anywhere. */
const OPEN_6 = range('2000::/3');
const CLOSED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(range);

/** One of version 4 that is written as one of version 6 is looked at as what it is. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined || text.includes('%')) return false;
  if (address.bits === 32) return !CLOSED_4.some((closed) => isInRange(address, closed));
  return isInRange(address, OPEN_6) && !CLOSED_6.some((closed) => isInRange(address, closed));
}
