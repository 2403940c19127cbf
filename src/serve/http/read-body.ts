// A request's body, whole and as text: counted while it comes, known to be UTF-8. No promises: this runs for every call.
import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** 1 MB: the largest SKILL.md, and more than any call needs. */
export const MAX_BODY_BYTES = 1_048_576;

/** `too-large` may come before the body has ended: the rest is thrown away as it comes. */
export type BodyProblem = 'too-large' | 'not-utf8';

/** Calls one of the two once, or neither when the client goes away in the middle. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  onBody: (body: string) => void,
  onProblem: (problem: BodyProblem) => void,
): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let bytes = 0;
  let tooLarge = false;
  request.on('data', (chunk: Buffer) => {
    if (tooLarge) return;
    bytes += chunk.length;
    if (bytes > maxBytes) {
      tooLarge = true;
      first = more = undefined;
      onProblem('too-large');
    } else if (first === undefined) first = chunk;
    else if (more === undefined) more = [first, chunk];
    else more.push(chunk);
  });
  request.on('end', () => {
    if (tooLarge) return;
    const whole = more === undefined ? first : Buffer.concat(more, bytes);
    if (whole === undefined) onBody('');
    else if (isUtf8(whole)) onBody(whole.toString());
    else onProblem('not-utf8');
  });
}

/** After this long, or so many bytes, a client that goes on sending what was refused is cut off. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 8 * MAX_BODY_BYTES;

/**
 * Throws away what still comes of a refused body, and then calls `done`: a connection that is closed on a sender at
 * once is reset, and the answer that explains why is lost with it.
 */
export function discardBody(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  let finished = false;
  const finish = () => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    done();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) finish();
  });
  request.on('end', finish);
  request.on('close', finish);
}
