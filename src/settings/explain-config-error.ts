// Why a configuration file could not be executed, with the line where that can be told. Never a stack, never a credential.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { withoutCredentials } from '../text/credentials.ts';
import { toOneLine } from '../text/one-line.ts';
import { openJiti } from './open-jiti.ts';

const MAX_TEXT = 300;

/** Like all below: what is the case and what to do, as the end of "Cannot load FILE: …". */
export async function explainConfigError(error: unknown, path: string): Promise<string> {
  const { name, message, stack } = readError(error);
  const parse = /^ParseError: (.*)\n\s*(.+):(\d+):\d+$/.exec(message);
  if (parse !== null) return syntaxFault(parse[1], parse[3], parse[2] === path ? '' : ` of ${parse[2]}`);
  if (error instanceof SyntaxError) {
    const line = await findSyntaxLine(path);
    if (line !== undefined) return syntaxFault(message, line);
  }
  const missing = /^Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1];
  if (missing !== undefined) {
    return `it imports "${toOneLine(missing, MAX_TEXT)}", which is not there. Install the package or correct the path.`;
  }
  const line = findThrowingLine(stack, path);
  const said = toOneLine(withoutCredentials(`${name}${message.split('\n')[0]}`), MAX_TEXT);
  return `it threw "${said}"${line === undefined ? '' : ` in line ${line}`}. Correct what it does when it is loaded.`;
}

const syntaxFault = (what = '', line = '', where = ''): string =>
  `line ${line}${where} has a syntax error: ${toOneLine(what, MAX_TEXT).replace(/\.$/, '')}. Correct that line.`;

/** Whatever was thrown, also null or an error whose message throws. */
function readError(error: unknown): { readonly name: string; readonly message: string; readonly stack: string } {
  try {
    if (!(error instanceof Error)) return { name: '', message: String(error), stack: '' };
    return { name: `${error.name}: `, message: String(error.message), stack: String(error.stack) };
  } catch {
    return { name: '', message: 'something that cannot be described', stack: '' };
  }
}

/** Node does not tell where in a module a syntax error is; the parser that reads TypeScript does. */
async function findSyntaxLine(path: string): Promise<string | undefined> {
  const jiti = await openJiti();
  const parsed = jiti.transform({ source: await readFile(path, 'utf8'), filename: path, async: true });
  return /^exports\.__JITI_ERROR__ = .*?"line":(\d+)/.exec(parsed)?.[1];
}

/** The first frame that lies in the file itself. */
function findThrowingLine(stack: string, path: string): string | undefined {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const places = [`${path}:`, `${pathToFileURL(path).href}:`];
  for (const frame of frames) {
    const place = places.find((each) => frame.includes(each));
    if (place !== undefined) return /^\d+/.exec(frame.slice(frame.indexOf(place) + place.length))?.[0];
  }
  return undefined;
}
