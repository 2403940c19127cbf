// An answer in pieces, each made when the client has taken the one before: a slow reader costs one piece, not all (F10).
import type { Writable } from 'node:stream';

export interface SendPiecesOptions {
  /** After the last piece. */
  readonly done: () => void;
  /** Making a piece threw. The output is destroyed by then: its reader sees that it is not whole. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Writes one piece after the other. Others get their turn between two pieces.
 *
 * @example
 * sendPieces(response, opened.pieces(), { done: () => response.end(), onFault: (fault) => log(fault) });
 */
export function sendPieces(
  output: Writable,
  pieces: Iterator<string | Buffer>,
  { done, onFault }: SendPiecesOptions,
): void {
  const step = () => {
    // The client has gone.
    if (output.destroyed) return;
    const next = takeNext(pieces);
    if ('fault' in next) {
      // What was sent so far is not the beginning of a good answer.
      output.destroy();
      return onFault(next.fault);
    }
    if (next.done === true) return done();
    output.write(next.value, () => void setImmediate(step));
  };
  step();
}

function takeNext(
  pieces: Iterator<string | Buffer>,
): IteratorResult<string | Buffer, unknown> | { readonly fault: unknown } {
  try {
    return pieces.next();
  } catch (fault) {
    return { fault };
  }
}
