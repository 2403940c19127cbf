// How to start this program from anywhere: for the lines that a person copies into a host. Pure.
import { delimiter, join } from 'node:path';

export interface ProgramPlace {
  /** process.argv[1]: the script as it was called, perhaps through a link on the PATH. */
  readonly script: string;
  readonly path: string | undefined;
  /** The real path of a file, or `undefined` when there is none. */
  readonly realPath: (path: string) => string | undefined;
}

/** `npx` and `npm run` put this on the PATH of what they start; a host that is started in another way has no such folder. */
const isOfOneRun = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** `['repertoire']` when that name on the PATH is this program, else Node with the script's own path. */
export function findProgram({ script, path, realPath }: ProgramPlace): readonly string[] {
  const own = realPath(script) ?? script;
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '' && !isOfOneRun.test(folder));
  const onPath = folders.find((folder) => realPath(join(folder, 'repertoire')));
  if (onPath !== undefined && realPath(join(onPath, 'repertoire')) === own) return ['repertoire'];
  return ['node', own];
}
