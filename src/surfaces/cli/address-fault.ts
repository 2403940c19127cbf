// Addresses that cannot be what they are given for, found before anything is opened. Shows none of them: one may hold a password.
import { isPostgresAddress } from '../../settings/store-place.ts';
import type { CommandContext, ExitCode } from './command.ts';

export interface AddressFault {
  readonly sentence: string;
  /** 2 for an option, 1 for a variable of the environment. */
  readonly code: ExitCode;
}

type Given = Pick<CommandContext, 'values' | 'settings' | 'environment'>;

/** Of what `serve` takes. */
export const findAddressFault = (given: Given): AddressFault | undefined =>
  findDatabaseFault(given) ?? findNameFault(given) ?? findAiFault(given);

/** Of a store that is about to be opened. */
export function findDatabaseFault({
  values,
  settings: { storePlace },
}: Pick<Given, 'values' | 'settings'>): AddressFault | undefined {
  if (storePlace.kind !== 'postgres' || isPostgresAddress(storePlace.url)) return undefined;
  const wanted = 'it is not the address of a PostgreSQL; use postgres://USER:PASSWORD@HOST/DATABASE';
  return values.has('database-url')
    ? { sentence: `Cannot use what follows --database-url: ${wanted}`, code: 2 }
    : { sentence: `Cannot use DATABASE_URL: ${wanted}, or unset it`, code: 1 };
}

/** A name or an address, as a Host header may hold it. */
const NAME = /^(?:\[[0-9a-f:.]{2,45}\]|[0-9a-f:]{2,45}|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i;

function findNameFault({ values }: Given): AddressFault | undefined {
  const wrong = values.get('allow-host')?.find((name) => !NAME.test(name.trim()));
  if (wrong === undefined) return undefined;
  const host = URL.canParse(wrong) ? new URL(wrong).hostname : '';
  const example = NAME.test(host) ? host : 'skills.example.com';
  return {
    sentence: `Cannot use what follows --allow-host: it is not a name alone; write it like ${example}`,
    code: 2,
  };
}

function findAiFault({ environment: { variables } }: Given): AddressFault | undefined {
  const { REPERTOIRE_AI_BASE_URL: url } = variables;
  if (!url || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return undefined;
  const sentence =
    'Cannot use REPERTOIRE_AI_BASE_URL: it is not an http or https address; use one like http://127.0.0.1:11434/v1, or unset it';
  return { sentence, code: 1 };
}
