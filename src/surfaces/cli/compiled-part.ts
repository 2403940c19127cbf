// A built part of the program, run from what V8 compiled of it before: that saves a third of a start. It is code, so it is
// taken from beside the program, or from a file of this user's alone, and that only whole: V8 does not look, and would crash.
import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { sumOf } from '../../files/checksum.ts';
import { finish, readPrivateFile, unlessForbidden, writePrivateFile } from '../../files/private-file.ts';

export interface Part<T> {
  readonly exports: T;
  /** For the next start, unless it was kept already. */
  keepCompiled(): void;
}

export interface PartPlace {
  /** Absolute: a CommonJS file. */
  readonly path: string;
  /** Where compiled code is kept for this user; `undefined`: nowhere. */
  readonly keptIn: string | undefined;
  /** `import()` of the file that calls this: what was compiled before has none of its own. */
  readonly load: (specifier: string) => Promise<unknown>;
}

/** `T`: what the part exports, which is not looked at. */
export function loadPart<T>({ path, keptIn, load }: PartPlace): Part<T> {
  // The build puts a digest of the part into its name: what was compiled of another one is never found.
  const name = `${basename(path, '.js')}-${process.version}-${process.arch}.code`;
  const beside = unlessForbidden(() => readFileSync(join(dirname(path), name)));
  const kept =
    beside ?? (keptIn === undefined ? undefined : unpack(finish(readPrivateFile(join(keptIn, name), MOST_BYTES))));
  const script = new Script(`${BEFORE}${readFileSync(path, 'latin1')}${AFTER}`, {
    filename: path,
    ...(kept && { cachedData: kept }),
  });
  // What lies beside the part is made with it: under other flags than it was compiled with V8 does not take it.
  let isKept = beside !== undefined || (kept !== undefined && script.cachedDataRejected !== true);
  return {
    exports: run<T>(script, path, load),
    keepCompiled: () => {
      if (isKept || keptIn === undefined) return;
      isKept = true;
      finish(writePrivateFile(join(keptIn, name), pack(script.createCachedData())));
    },
  };
}

/** What a first start has kept in `keptIn`, for the build to put beside the part; it has no head there. */
export const compiledIn = (bytes: Buffer): Buffer | undefined => unpack(bytes);

/** As Node wraps such a file. The build leaves nothing in it but ASCII. */
const BEFORE = '(function (exports, require, module, __filename, __dirname) { "use strict";';
const AFTER = '\n})';

/** The same as `require(path)`, and what is imported or required by others afterwards is this very one. */
function run<T>(script: Script, path: string, load: PartPlace['load']): T {
  const require = createRequire(path);
  const module = Object.assign(new Module(path), { filename: path, load });
  require.cache[path] = module;
  script.runInThisContext().call(module.exports, module.exports, require, module, path, dirname(path));
  module.loaded = true;
  return module.exports;
}

const MOST_BYTES = 16 * 1024 * 1024;
/** Format, sum, and room: V8 wants its bytes at a multiple of eight. */
const HEAD_BYTES = 16;
const FORMAT = 0x52_50_43_01;

function pack(code: Buffer): readonly Buffer[] {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(FORMAT, 0);
  head.writeUInt32LE(sumOf(code), 4);
  return [head, code];
}

/** `undefined`: cut off, or not what was written. */
function unpack(bytes: Buffer | undefined): Buffer | undefined {
  if (bytes === undefined || bytes.length <= HEAD_BYTES || bytes.readUInt32LE(0) !== FORMAT) return undefined;
  const code = bytes.subarray(HEAD_BYTES);
  return bytes.readUInt32LE(4) === sumOf(code) ? code : undefined;
}
