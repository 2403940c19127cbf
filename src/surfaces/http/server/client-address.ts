// Whose address counts for limits and in the log: the other end of the connection, or for whom a trusted proxy says it asks.
// What it says changes nothing else: a request that was passed on stays remote (H5).
import { type IpRange, isInRange, parseIpAddress } from '../../../values/ip-address.ts';

/** `forwardedFor`: the value of `X-Forwarded-For`, all of them with commas between. */
export type FindClientAddress = (peer: string, forwardedFor: string | undefined) => string;

/**
 * From the right, because each proxy appends the address that it saw: the first that no trusted proxy has. What stands left
 * of it was sent by that client, and may be anything.
 */
export function createFindClientAddress(trustedProxies: readonly IpRange[]): FindClientAddress {
  if (trustedProxies.length === 0) return (peer) => peer;
  const isTrusted = (text: string) => {
    const address = parseIpAddress(text);
    return address !== undefined && trustedProxies.some((range) => isInRange(address, range));
  };
  return (peer, forwardedFor = '') => {
    let client = peer;
    let end = forwardedFor.length;
    while (end > 0 && isTrusted(client)) {
      const comma = forwardedFor.lastIndexOf(',', end - 1);
      const named = addressIn(forwardedFor.slice(comma + 1, end));
      // `unknown`, or nothing that we can read: the proxy that said so is the last that is known.
      if (named === undefined) break;
      client = named;
      end = comma;
    }
    return client;
  };
}

/** Some proxies add a port, and brackets with it. */
const WITH_PORT = /^(?:\[([0-9a-f:.]{2,45})\]|([0-9.]{7,15}))(?::\d{1,5})?$/i;
const MOST_LENGTH = 64;

function addressIn(part: string): string | undefined {
  const text = part.trim();
  if (text.length > MOST_LENGTH) return undefined;
  const port = WITH_PORT.exec(text);
  const address = (port?.[1] ?? port?.[2] ?? text).replace(/%.*$/, '');
  return parseIpAddress(address) === undefined ? undefined : address;
}
