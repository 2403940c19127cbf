// Addresses of the Internet Protocol as numbers, to compare them and to see in which range they lie. Pure.
import { isIP } from 'node:net';

export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** All addresses that begin with the same bits. */
export interface IpRange {
  readonly first: IpAddress;
  readonly prefix: number;
}

/** `undefined`: it is none. One of version 4 may be written as one of version 6; a zone (`%eth0`) does not count. */
export function parseIpAddress(text: string): IpAddress | undefined {
  const zone = text.indexOf('%');
  const address = zone === -1 ? text : text.slice(0, zone);
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return { bits: 32, value: joined(bytesIn(address), 8n) };
  const value = joined(wordsOf(address), 16n);
  return value >> 32n === MAPPED ? { bits: 32, value: value & LOW_32 } : { bits: 128, value };
}

/** `::ffff:0:0/96`: how a socket for both versions writes one of version 4. */
const MAPPED = 0xffffn;
const LOW_32 = 0xffff_ffffn;

const joined = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((all, part) => (all << bits) | BigInt(part), 0n);

const bytesIn = (dotted: string): number[] => dotted.split('.').map(Number);

/** The eight words; `::` stands for those that are missing. */
function wordsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [wordsIn(head), wordsIn(tail ?? '')];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function wordsIn(part: string): readonly number[] {
  if (part === '') return [];
  return part.split(':').flatMap((word) => (word.includes('.') ? pairsOf(bytesIn(word)) : [Number.parseInt(word, 16)]));
}

const pairsOf = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): readonly number[] => [a * 256 + b, c * 256 + d];

export const isInRange = ({ bits, value }: IpAddress, { first, prefix }: IpRange): boolean =>
  bits === first.bits && (value ^ first.value) >> BigInt(bits - prefix) === 0n;

/** Who has one address of version 6 has as a rule 2⁶⁴ of them: they count as one. What is no address is taken as it is. */
export function networkOf(text: string): string {
  const address = parseIpAddress(text);
  if (address === undefined) return text;
  return address.bits === 32 ? `4 ${address.value}` : `6 ${address.value >> 64n}`;
}
