// What this process was started with: the home and working directories, the variables, a limit. The only file that reads them.
import { codeOf } from '../values/error-code.ts';
import type { Environment } from './config.ts';

export const readEnvironment = (): Environment => ({
  home: homeDirectory(),
  workingDirectory: workingDirectory(),
  variables: readVariables(),
});

export const readVariables = (): Environment['variables'] => process.env;

/** How many files this process may have open at a time; `undefined`: no limit, or none that is known here. */
export function readOpenFileLimit(): number | undefined {
  // Not in the types: a report has what `ulimit -a` shows.
  const report = process.report?.getReport() as { readonly userLimits?: { readonly open_files?: { soft?: unknown } } };
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

/** `node:os` costs a millisecond of every start, and on POSIX it looks at HOME first, too. */
function homeDirectory(): string {
  const home = process.platform === 'win32' ? undefined : readVariables().HOME;
  if (home) return home;
  const os = process.getBuiltinModule('node:os');
  try {
    // An empty HOME is no home.
    return os.homedir() || os.userInfo().homedir;
  } catch (error) {
    // A user without an entry, as containers have them: they, too, call this one its home.
    if (codeOf(error) !== 'ERR_SYSTEM_ERROR') throw error;
    return '/';
  }
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
