// The server that `connect --http URL` names: its MCP endpoint is found and tried before the host is told of it.
import type { Attempt } from '../../hosts/check/attempt.ts';
import { fillTarget } from '../../hosts/check/fill-target.ts';
import { type AddressTarget, readTarget } from '../../hosts/check/read-target.ts';
import { type FoundAddress, findAddress, likelyAddresses } from '../../hosts/check/try-address.ts';
import { readEntry } from '../../hosts/connect/connect-host.ts';
import type { Remote } from '../../hosts/connect/host-entry.ts';
import type { ConnectableHost } from '../../hosts/connect/host-files.ts';
import type { CommandContext } from './command.ts';
import { scopeOf } from './connect-choice.ts';
import { fixFor } from './connect-fix.ts';
import { withProgress } from './terminal/progress.ts';

export interface ReachedServer {
  /** With the address of the endpoint. */
  readonly server: Remote;
  /** The address as it was given named no endpoint. */
  readonly isCorrected: boolean;
  /** No token was given, but the file's entry has one for this server, and keeps it. */
  readonly keepsToken: boolean;
  /** `undefined`: nothing was tried. */
  readonly attempt: Attempt | undefined;
  /** Where the attempt failed. */
  readonly fix: string | undefined;
}

interface Broken extends ReachedServer {
  readonly attempt: Extract<Attempt, { readonly ok: false }>;
}

/** A server that asks to sign in by OAuth works for hosts that do: only the host can try that. */
export const isBroken = (reached: ReachedServer | undefined): reached is Broken =>
  reached?.attempt?.ok === false && !isSignIn(reached);

export const isSignIn = ({ attempt }: ReachedServer): boolean =>
  attempt?.ok === false && attempt.failure.cause === 'sign-in-needed';

/** A person is waiting for it. */
const LIMIT_MS = 10_000;

/** `path`: the host's file. With `--print` nothing is written, and nothing is asked of a network. */
export async function reachServer(
  context: CommandContext,
  host: ConnectableHost,
  given: Remote,
  path: string,
): Promise<ReachedServer> {
  const kept = given.token === undefined ? findKept(context, host, given, path) : undefined;
  const target = kept ?? targetOf(given);
  const { url, attempt } = context.flags.has('print') ? likelyAddress(given) : await tryServer(context, target);
  const facts = { host, scope: scopeOf(context), url, context };
  return {
    server: { ...given, url },
    isCorrected: url !== given.url,
    keepsToken: kept !== undefined,
    attempt,
    fix: attempt === undefined || attempt.ok ? undefined : fixFor(attempt.failure, facts),
  };
}

const likelyAddress = ({ url }: Remote) => ({ url: likelyAddresses(url)[0] ?? url, attempt: undefined });

const targetOf = ({ url, token }: Remote): AddressTarget => ({
  url,
  headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  unset: undefined,
});

/**
 * The address with the headers that the present entry has for the same server: it keeps them. A token goes to no other
 * server, and a file of the project, which may be anybody's, gets none of our variables.
 */
function findKept(
  context: CommandContext,
  host: ConnectableHost,
  { url }: Remote,
  path: string,
): AddressTarget | undefined {
  const scope = scopeOf(context);
  const entry = readEntry({ host, scope, path });
  const written = entry.ok && entry.value ? readTarget(entry.value) : undefined;
  if (!written?.ok) return undefined;
  const variables = scope === 'project' ? {} : context.environment.variables;
  const filled = fillTarget(written.value, variables, { fillsBareNames: host.config.fillsBareNames === true });
  const target = filled.ok ? filled.value.value : undefined;
  if (target === undefined || !('url' in target) || !URL.canParse(target.url)) return undefined;
  const isSameServer = new URL(target.url).origin === new URL(url).origin;
  const names = Object.keys(target.headers).map((name) => name.toLowerCase());
  return isSameServer && names.includes('authorization') ? { ...target, url } : undefined;
}

function tryServer({ version, errors }: CommandContext, target: AddressTarget): Promise<FoundAddress> {
  const work = () => findAddress(target, { version, limitMs: LIMIT_MS });
  return withProgress(errors, `Trying ${new URL(target.url).host}…`, work);
}
