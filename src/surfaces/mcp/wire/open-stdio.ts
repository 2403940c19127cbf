// The process's own standard streams, opened so that a client which does not read cannot hold us.
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * `process.stdout` cannot be destroyed, so what a client leaves unread in a pipe would keep the process alive for ever.
 * A socket of our own over the same descriptor can. (Neither blocks on a full pipe: measured on Node 20, 22 and 24.)
 */
export function openStdio(): StdioStreams {
  const kind = fstatSync(STDOUT);
  // Windows writes to pipes synchronously and only through process.stdout; files and terminals take what they are given.
  const isPipe = process.platform !== 'win32' && (kind.isFIFO() || kind.isSocket());
  const output = isPipe ? new Socket({ fd: STDOUT, readable: false, writable: true }) : openOwn(process.stdout);
  return { input: process.stdin, output };
}

const STDOUT = 1;

/** By the class's own `write`: the one on the stream itself leads what typed skills print to standard error (user-config.ts). */
function openOwn(stream: Writable): Writable {
  const own = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void Object.getPrototypeOf(stream).write.call(stream, chunk, encoding, done),
  });
  stream.on('error', (error) => own.destroy(error));
  return own;
}
