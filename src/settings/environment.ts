// What this process was started with: the home and working directories and the variables. The only file that reads them.
import { codeOf } from '../values/error-code.ts';
import type { Environment } from './config.ts';

export const readEnvironment = (): Environment => ({
  home: homeDirectory(),
  workingDirectory: workingDirectory(),
  variables: readVariables(),
});

export const readVariables = (): Environment['variables'] => process.env;

/** `node:os` costs a millisecond of every start, and on POSIX it looks at HOME first, too. */
function homeDirectory(): string {
  const home = process.platform === 'win32' ? undefined : readVariables().HOME;
  if (home) return home;
  const os = process.getBuiltinModule('node:os');
  // An empty HOME is no home.
  return os.homedir() || os.userInfo().homedir;
}

/** Where it was deleted, absolute paths still work. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return readVariables().PWD ?? '/';
  }
}
