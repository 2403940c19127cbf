// The variables that the process of a worker skill gets: what programs need to find their way, and what the skill names. What
// the operator keeps in the environment for the server (DATABASE_URL, REPERTOIRE_SECRET, keys) is not handed on.

const COMMON = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'TMPDIR', 'TMP', 'TEMP'];
const OF_NODE = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
const OF_WINDOWS = [
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
];

const ALWAYS: ReadonlySet<string> = new Set([...COMMON, ...OF_NODE, ...OF_WINDOWS]);

/** `named`: the variables that the skill's definition lists. Windows does not tell `Path` from `PATH`. */
export function processEnvironment(named: readonly string[], all = process.env): Readonly<Record<string, string>> {
  const isWanted = (name: string) => ALWAYS.has(name.toUpperCase()) || name.startsWith('LC_') || named.includes(name);
  const wanted = Object.entries(all).filter(([name, value]) => value !== undefined && isWanted(name));
  return Object.fromEntries(wanted) as Readonly<Record<string, string>>;
}
