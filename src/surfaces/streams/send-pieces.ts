// An answer in pieces, each made when the client has taken the one before: a slow reader costs one piece, not all (F10).
import type { Writable } from 'node:stream';

/**
 * Writes one piece after the other and calls `done` after the last. Others get their turn between two pieces. When making
 * a piece throws, the output is destroyed: whoever reads it sees that it is not whole.
 *
 * @example
 * sendPieces(response, opened.pieces(), () => response.end());
 */
export function sendPieces(output: Writable, pieces: Iterator<string | Buffer>, done: () => void): void {
  const step = () => {
    // The client has gone.
    if (output.destroyed) return;
    const next = takeNext(output, pieces);
    if (next === undefined) return;
    if (next.done === true) return done();
    output.write(next.value, () => void setImmediate(step));
  };
  step();
}

/** `undefined`: it could not be made, and that is all for this output. */
function takeNext(output: Writable, pieces: Iterator<string | Buffer>): IteratorResult<string | Buffer> | undefined {
  try {
    return pieces.next();
  } catch {
    // Whatever it was: what was sent so far is not the beginning of a good answer.
    output.destroy();
    return undefined;
  }
}
