// Tries what an entry says, as its host would: starts the program, or talks to the server at the address.
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok } from '../../values/result.ts';
import type { Fields } from '../connect/fields.ts';
import type { ConfigScope } from '../connect/host-files.ts';
import type { Attempt, Obstacle } from './attempt.ts';
import { type Filled, fillTarget, type Unfilled, type Variables } from './fill-target.ts';
import { findOwnServer, type OwnProgram } from './own-server.ts';
import { type EntryTarget, readTarget, unusable } from './read-target.ts';
import { tryAddress } from './try-address.ts';
import { tryProgram } from './try-program.ts';

export interface EntryPlace extends OwnProgram {
  readonly scope: ConfigScope;
  /** Absolute: the folder that the host is used in. */
  readonly folder: string;
  readonly variables: Variables;
  /** Of the host: see HostConfig. */
  readonly fillsBareNames?: boolean;
  readonly version: string;
  readonly limitMs: number;
}

export interface TriedEntry {
  /** As it is written, without the values of variables. `undefined`: the entry does not say. */
  readonly target: EntryTarget | undefined;
  readonly attempt: Attempt;
}

/** A file of the project may be anybody's: nothing but this program is started from it, and it gets none of our variables. */
export async function tryEntry(entry: Fields, place: EntryPlace): Promise<TriedEntry> {
  const target = readTarget(entry);
  if (!target.ok) return { target: undefined, attempt: target };
  return { target: target.value, attempt: await tryTarget(target.value, place) };
}

async function tryTarget(written: EntryTarget, place: EntryPlace): Promise<Attempt> {
  const isOfProject = place.scope === 'project';
  const started = 'url' in written || !isOfProject ? ok(written) : findOwnServer(written, place);
  if (!started.ok) return started;
  const filled = fillTarget(started.value, isOfProject ? {} : place.variables, place);
  if (!filled.ok) return fail(cannotFill(filled.failure, isOfProject));
  const target = filled.value.value;
  if (!('url' in target)) return withoutSecrets(await tryProgram(target, place), filled.value);
  if (!URL.canParse(target.url)) return fail(unusable);
  const attempt = withoutSecrets(await tryAddress(target, place), filled.value);
  const isWithheld = isOfProject && !attempt.ok && attempt.failure.cause === 'token-missing';
  return isWithheld && target.unset !== undefined ? fail(tokenWithheld(target.unset)) : attempt;
}

function cannotFill(unfilled: Unfilled, isOfProject: boolean): Obstacle {
  if ('unknown' in unfilled) {
    const message = `Cannot check the entry: only the host can fill in ${toOneLine(unfilled.unknown, 80)}`;
    return { cause: 'entry-unusable', message };
  }
  const name = toOneLine(unfilled.unset, 80);
  return isOfProject
    ? { cause: 'variable-withheld', message: `Cannot check the entry: it uses ${name}, and ${WITHHELD}` }
    : { cause: 'entry-unusable', message: `Cannot use the entry: it uses ${name}, which is not set here` };
}

const WITHHELD = 'an entry from a project file gets none of your variables here';

const tokenWithheld = (name: string): Obstacle => ({
  cause: 'variable-withheld',
  message: `Cannot check the token: the entry takes it from ${toOneLine(name, 80)}, and ${WITHHELD}`,
});

/** A server may repeat what it was sent. */
function withoutSecrets(attempt: Attempt, { value, used }: Filled<EntryTarget>): Attempt {
  if (attempt.ok) return attempt;
  const values = [...used, ...Object.values('url' in value ? value.headers : value.variables)];
  const secrets = values
    .flatMap((text) => [text, ...text.split(' ')])
    .filter((text) => text.length >= LEAST_SECRET)
    .sort((a, b) => b.length - a.length);
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), attempt.failure.message);
  return fail({ ...attempt.failure, message });
}

/** A shorter one is a word that stands elsewhere, too. */
const LEAST_SECRET = 8;
