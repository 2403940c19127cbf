// What judges that we did not write say of a packed package. Nothing said: it is clean.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { run } from './packed-program.ts';

const require = createRequire(import.meta.url);

/** Suggestions and warnings, too. */
export async function askPublint(tarball: string): Promise<readonly string[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer; // A file is never read into shared memory.
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, level: 'suggestion' });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** For ES modules alone: the package has no other kind. */
export function askAreTheTypesWrong(tarball: string): readonly string[] {
  const manifest = require.resolve('@arethetypeswrong/cli/package.json');
  const options = ['--profile', 'esm-only', '--no-color', '--no-emoji'];
  const words = [join(dirname(manifest), 'dist/index.js'), tarball, ...options];
  const { code, stdout, stderr } = run(process.execPath, words, process.cwd(), process.env);
  return code === 0 ? [] : [stdout + stderr];
}
