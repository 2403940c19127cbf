// Tries what an entry says, as its host would: starts the program, or talks to the server at the address.
import { fail } from '../../values/result.ts';
import type { Fields } from '../connect/fields.ts';
import type { ConfigScope } from '../connect/host-files.ts';
import type { Attempt } from './attempt.ts';
import { findOwnServer, type OwnProgram } from './own-server.ts';
import { type EntryTarget, readTarget, type Variables } from './read-target.ts';
import { tryAddress } from './try-address.ts';
import { tryProgram } from './try-program.ts';

export interface EntryPlace extends OwnProgram {
  readonly scope: ConfigScope;
  /** Absolute: the folder that the host is used in. */
  readonly folder: string;
  readonly variables: Variables;
  readonly version: string;
  readonly limitMs: number;
}

export interface TriedEntry {
  /** `undefined`: the entry does not say. */
  readonly target: EntryTarget | undefined;
  readonly attempt: Attempt;
}

/** A file of the project may be anybody's: nothing but this program is started from it, and it gets none of our variables. */
export async function tryEntry(entry: Fields, place: EntryPlace): Promise<TriedEntry> {
  const target = readTarget(entry, place.scope === 'user' ? place.variables : {});
  if (!target.ok) return { target: undefined, attempt: target };
  const attempt = await tryTarget(target.value, place);
  return { target: target.value, attempt: withoutSecrets(attempt, target.value) };
}

async function tryTarget(target: EntryTarget, place: EntryPlace): Promise<Attempt> {
  if ('url' in target) return tryAddress(target, place);
  if (place.scope === 'user') return tryProgram(target, place);
  const own = findOwnServer(target, place);
  return own.ok ? tryProgram(own.value, place) : own;
}

/** A server may repeat what it was sent. */
function withoutSecrets(attempt: Attempt, target: EntryTarget): Attempt {
  if (attempt.ok) return attempt;
  const values = Object.values('url' in target ? target.headers : target.variables);
  const secrets = values
    .flatMap((value) => [value, ...value.split(' ')])
    .filter((value) => value.length >= LEAST_SECRET);
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), attempt.failure.message);
  return fail({ ...attempt.failure, message });
}

/** A shorter one is a word that stands elsewhere, too. */
const LEAST_SECRET = 8;
