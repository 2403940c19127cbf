// The pages that were built beside the program: the dashboard and the MCP App. No name of a file ever comes from a client.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { codeOf } from '../../values/error-code.ts';

export interface WebFolder {
  /** Looked at once, when it is first asked. */
  hasApp(): boolean;
  readApp(): string | undefined;
  /** Every file of the dashboard by its path in an address: `/index.html`, `/assets/…`. Empty where none was built. */
  readPages(): ReadonlyMap<string, Buffer>;
}

const APP = 'skills-app.html';

/** Nothing is read before it is asked for: a host that starts `repertoire mcp` waits for its first answer. */
export function openWebFolder(directory: string): WebFolder {
  const appPath = join(directory, APP);
  let isThere: boolean | undefined;
  return {
    hasApp: () => {
      isThere ??= existsSync(appPath);
      return isThere;
    },
    readApp: () => whenThere(() => readFileSync(appPath, 'utf8')),
    readPages: () => whenThere(() => readFiles(directory)) ?? new Map(),
  };
}

function readFiles(directory: string): ReadonlyMap<string, Buffer> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name));
  // The app is for hosts: it holds its script and style in itself, which no page of ours may do.
  const pages = files.filter((file) => file !== join(directory, APP) && !file.endsWith('.map'));
  return new Map(pages.map((file) => [addressOf(file, directory), readFileSync(file)]));
}

const addressOf = (file: string, directory: string): string =>
  `/${file.slice(directory.length).split(sep).filter(Boolean).join('/')}`;

/** A checkout that was not built has none, and the server works all the same. */
function whenThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
