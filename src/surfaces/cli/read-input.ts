// The input of `invoke`: JSON from the command line, a file or standard input; or one sentence about why there is none.
import { createReadStream, existsSync } from 'node:fs';
import { type Environment, toAbsolute } from '../../settings/config.ts';
import { INPUT_LIMITS } from '../../skills/check/json-inspection.ts';
import { toOneLine } from '../../text/one-line.ts';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';

type Bytes = AsyncIterable<Uint8Array>;

interface InputPlaces {
  readonly environment: Pick<Environment, 'home' | 'workingDirectory'>;
  readonly standardInput: () => Bytes;
}

/** `given`: JSON, `@FILE`, `-`, or nothing, which stands for an input without fields. */
export async function readInput(given: string | undefined, places: InputPlaces): Promise<Result<unknown, string>> {
  if (given === undefined) return ok({});
  if (given === '-') return parseBytes(await collect(places.standardInput(), 'standard input'), 'standard input');
  if (!given.startsWith('@')) {
    const parsed = parseText(given, '--input');
    return parsed.ok || !isFile(given, places) ? parsed : fail(forgottenAt(given));
  }
  const file = given.slice(1);
  if (file === '') return fail('Cannot read the input: --input @ names no file; write --input @FILE');
  const stream = createReadStream(toAbsolute(file, places.environment));
  return parseBytes(await collect(stream, `"${file}"`), `"${file}"`);
}

/** What is no JSON may be the name of a file: then the sign before it was forgotten. */
const isFile = (given: string, { environment }: InputPlaces): boolean =>
  given.trim() !== '' && existsSync(toAbsolute(given, environment));

const forgottenAt = (file: string): string =>
  `Cannot read the input: --input is not JSON, but there is a file "${toOneLine(file, 80)}"; write --input @${toOneLine(file, 80)} to send its contents`;

/** Stops as soon as there is too much: the source may be endless. */
async function collect(bytes: Bytes, source: string): Promise<Result<Uint8Array, string>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of bytes) {
      parts.push(part);
      size += part.length;
      if (size > INPUT_LIMITS.maxBytes)
        return fail(`Cannot read the input: ${source} has more than 1 MiB (1,048,576 bytes); send less`);
    }
  } catch (error) {
    const code = codeOf(error);
    // Without a code it does not come from the system: a fault of ours.
    if (code === undefined) throw error;
    return fail(
      `Cannot read the input: ${source} ${REASONS[code] ?? `cannot be read (${code})`}; name a file with JSON`,
    );
  }
  return ok(Buffer.concat(parts));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read (permission denied)',
};

function parseBytes(bytes: Result<Uint8Array, string>, source: string): Result<unknown, string> {
  if (!bytes.ok) return bytes;
  const text = decode(bytes.value);
  return text === undefined
    ? fail(`Cannot read the input: ${source} is not UTF-8; send JSON in UTF-8`)
    : parseText(text, source);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

const EXAMPLE = `for example '{"name": "Ada"}'`;

function parseText(text: string, source: string): Result<unknown, string> {
  if (text.trim() === '') return fail(`Cannot read the input: ${source} is empty; send JSON, ${EXAMPLE}`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return fail(`Cannot read the input: ${source} is not JSON${placeOf(error)}; send JSON, ${EXAMPLE}`);
  }
}

/** Only the place: the engine's message quotes the input, which may hold a secret. */
function placeOf({ message }: SyntaxError): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? '' : ` (at character ${Number(position) + 1})`;
}
