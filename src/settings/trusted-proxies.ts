// Which proxies are believed when they say for whom they ask (`--trust-proxy`): an address, a range of them, `loopback`. Pure.
import { type IpAddress, type IpRange, parseIpAddress } from '../values/ip-address.ts';
import { fail, ok, type Result } from '../values/result.ts';

/** All of them, or what is wrong with the first that is: what follows "it" in a sentence. */
export function parseTrustedProxies(entries: readonly string[]): Result<readonly IpRange[], string> {
  const ranges: IpRange[] = [];
  for (const entry of entries) {
    const parsed = parseTrustedProxy(entry);
    if (!parsed.ok) return parsed;
    ranges.push(...parsed.value);
  }
  return ok(ranges);
}

function parseTrustedProxy(entry: string): Result<readonly IpRange[], string> {
  const text = entry.trim();
  if (text.toLowerCase() === 'loopback') return ok(LOOPBACK);
  if (text.includes(',')) return fail('names several at once; give each of them alone');
  const [written = '', prefix, ...more] = text.split('/');
  const first = written.includes('%') ? undefined : parseIpAddress(written);
  if (first === undefined || more.length > 0) {
    return fail('is neither an address nor a range; write it like 10.0.0.0/8, fd00::/8, 192.0.2.7 or loopback');
  }
  return prefix === undefined ? ok([{ first, prefix: first.bits }]) : parseRange(first, prefix);
}

const address = (bits: IpAddress['bits'], value: bigint): IpAddress => ({ bits, value });

/** 127.0.0.0/8 and ::1. */
const LOOPBACK: readonly IpRange[] = [
  { first: address(32, 127n << 24n), prefix: 8 },
  { first: address(128, 1n), prefix: 128 },
];

function parseRange(first: IpAddress, written: string): Result<readonly IpRange[], string> {
  const prefix = /^\d{1,3}$/.test(written) ? Number(written) : Number.NaN;
  if (prefix === 0)
    return fail('means every address, so that anyone could claim to be anyone; name those of your proxies');
  if (!(prefix <= first.bits)) return fail(`has a prefix that is not a number from 1 to ${first.bits}`);
  const rest = BigInt(first.bits - prefix);
  if ((first.value >> rest) << rest !== first.value) {
    return fail(
      'is an address inside its range; write the first address of the range, or the address without a prefix',
    );
  }
  return ok([{ first, prefix }]);
}
