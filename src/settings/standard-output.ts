// Standard output belongs to the protocol, or to a command's data. What the operator's code prints goes to standard error, and
// steers no terminal there: a skill may print what a caller sent.
import { STEERING, showCode } from '../text/one-line.ts';

/** From now on `console` and `process.stdout.write` lead to standard error, without anything that steers a terminal. */
export function divertStandardOutput(): void {
  const write = createHarmlessWrite(writeStandardError);
  process.stderr.write = write;
  process.stdout.write = write;
}

type Written = (error?: Error | null) => void;

type Write = (data: string | Uint8Array, written?: Written) => boolean;

/** Writes to standard output itself, diverted or not: the diversion lies on the stream, this is the method of its class. */
export const writeStandardOutput: Write = (data, written) => writeItself(process.stdout, data, written);

/** The same for standard error: what we write ourselves has been looked at, and may have colours. */
export const writeStandardError: Write = (data, written) => writeItself(process.stderr, data, written);

const writeItself = (stream: NodeJS.WriteStream, data: string | Uint8Array, written?: Written): boolean =>
  Object.getPrototypeOf(stream).write.call(stream, data, written);

/** In the form of a stream's own. Lines, tabs and letters stay, colours go, and all else that steers is shown by its code. */
export function createHarmlessWrite(write: Write): NodeJS.WriteStream['write'] {
  // Bytes may end inside of a character.
  const decoder = new TextDecoder();
  return (data: string | Uint8Array, second?: BufferEncoding | Written, third?: Written) => {
    const [encoding, written] = typeof second === 'function' ? ['utf8' as const, second] : [second ?? 'utf8', third];
    const text = typeof data === 'string' && isUtf8(encoding) ? data : decoder.decode(toBytes(data, encoding), STREAM);
    return write(harmless(text), written);
  };
}

const STREAM = { stream: true };

const isUtf8 = (encoding: BufferEncoding): boolean => /^utf-?8$/i.test(encoding);

const toBytes = (data: string | Uint8Array, encoding: BufferEncoding): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data, encoding) : data;

const PLAIN = /^[\x20-\x7e\n\t]*$/;
const COLOURS = /\x1b\[[\d;]*m/g;
const STEERS = new RegExp(`[\\0-\\x08\\x0b-\\x1f${STEERING}]`, 'gu');

const harmless = (text: string): string =>
  PLAIN.test(text) ? text : text.replaceAll('\r\n', '\n').replace(COLOURS, '').replace(STEERS, showCode);
