// Buffers cut from large pieces of memory, for a first scan that reads thousands of small files which all stay.

/** Hands out `size` bytes, uninitialised. */
export type Allocate = (size: number) => Buffer;

const PIECE_BYTES = 1024 * 1024;
/** Larger ones are worth a piece of their own. */
const MAX_SHARED_BYTES = 32 * 1024;

/** A piece is freed when the last buffer cut from it is: not for texts that come and go one by one. */
export function createByteArena(): Allocate {
  let piece: Buffer | undefined;
  let used = 0;
  return (size) => {
    if (size > MAX_SHARED_BYTES) return Buffer.allocUnsafeSlow(size);
    if (piece === undefined || used + size > piece.length) {
      piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      used = 0;
    }
    used += size;
    return piece.subarray(used - size, used);
  };
}
