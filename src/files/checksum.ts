// A sum that tells whether bytes were cut off or changed, cheap from the first one on. Pure; proves nothing against an attacker.

/** Up to here, in all, it is quicker to count than to load `node:zlib`, which takes 1.7 ms. */
const FEW_BYTES = 32_768;
let countedBytes = 0;

/** CRC-32, of bytes that may have been cut off or changed. `node:crypto` alone would take longer to load. */
export function sumOf(bytes: Uint8Array, before = 0): number {
  countedBytes += bytes.length;
  return countedBytes > FEW_BYTES ? process.getBuiltinModule('node:zlib').crc32(bytes, before) : count(bytes, before);
}

function count(bytes: Uint8Array, before: number): number {
  let sum = ~before;
  for (const byte of bytes) {
    sum ^= byte;
    sum = (sum >>> 4) ^ (CRC_OF_HALF_BYTES[sum & 15] ?? 0);
    sum = (sum >>> 4) ^ (CRC_OF_HALF_BYTES[sum & 15] ?? 0);
  }
  return ~sum >>> 0;
}

const CRC_OF_HALF_BYTES = [
  0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320,
  0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
];
