// A secret from the person at the terminal, without echo; elsewhere the first line of standard input. Never from an argument:
// other programs can see those.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Longer than any password that is taken. */
const MOST_BYTES = 64 * 1024;

/** `undefined`: Ctrl-C, or the end of the input. */
export function askSecret(question: string): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve) => {
    const end = (answer: string | undefined) => {
      process.stderr.write('\n');
      resolve(answer);
    };
    const leave = () => end(undefined);
    terminal.once('SIGINT', () => terminal.close());
    terminal.once('close', leave);
    terminal.once('line', (answer) => {
      terminal.off('close', leave).close();
      end(answer);
    });
  });
}

/** `undefined`: there is none. What comes after the line is left alone. */
export async function readSecretLine(input: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  let bytes = Buffer.alloc(0);
  for await (const part of input) {
    bytes = Buffer.concat([bytes, part]);
    if (bytes.includes(0x0a) || bytes.length > MOST_BYTES) break;
  }
  const [line = ''] = bytes.toString('utf8').split(/\r?\n/, 1);
  return line === '' ? undefined : line;
}
