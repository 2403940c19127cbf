// What cannot be served as the command line asks for it: the sentence and the exit code of each fault.
import { findDatabaseFault, findServeFault, type ServeFault } from '../../app/serve-faults.ts';
import type { CommandContext, ExitCode } from './command.ts';

export interface CommandFault {
  readonly sentence: string;
  readonly code: ExitCode;
}

type Given = Pick<CommandContext, 'values' | 'settings' | 'environment'>;

/** Of what `serve` takes. */
export const findServeCommandFault = ({ values, ...given }: Given): CommandFault | undefined =>
  inCommandWords(findServeFault({ ...given, hasDatabaseUrl: values.has('database-url') }));

/** Of a store that is about to be opened. */
export const findStoreFault = ({ values, settings }: Pick<Given, 'values' | 'settings'>): CommandFault | undefined =>
  inCommandWords(findDatabaseFault({ settings, hasDatabaseUrl: values.has('database-url') }));

/** How a sentence about each begins; 2 for an option, 1 for a variable of the environment. */
const WORDS = {
  auth: ['Option --no-auth', 2],
  databaseUrl: ['Cannot use the value of --database-url: it', 2],
  allowHosts: ['Cannot use the value of --allow-host: it', 2],
  trustProxy: ['Cannot use the value of --trust-proxy: it', 2],
  oauth: ['Option --oauth', 2],
  publicUrl: ['Cannot use the value of --public-url: it', 2],
  issuer: ['Cannot use the value of --issuer: it', 2],
  redirectSchemes: ['Cannot use the value of --redirect-scheme: it', 2],
  builtin: ['Unknown built-in skill', 2],
  DATABASE_URL: ['Cannot use DATABASE_URL: it', 1],
  REPERTOIRE_AI_BASE_URL: ['Cannot use REPERTOIRE_AI_BASE_URL: it', 1],
} as const satisfies Record<ServeFault['at'], readonly [string, ExitCode]>;

export function inCommandWords(fault: ServeFault | undefined): CommandFault | undefined {
  if (fault === undefined) return undefined;
  const [start, code] = WORDS[fault.at];
  return { sentence: `${start} ${fault.problem}`, code };
}
