// The server that `connect --http URL` names: its MCP endpoint is found and tried before the host is told of it.
import type { Attempt } from '../../hosts/check/attempt.ts';
import { type FoundAddress, findAddress, likelyAddresses } from '../../hosts/check/try-address.ts';
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
  /** `undefined`: nothing was tried. */
  readonly attempt: Attempt | undefined;
  /** Where the attempt failed. */
  readonly fix: string | undefined;
}

/** A person is waiting for it. */
const LIMIT_MS = 10_000;

/** With `--print` nothing is written, and nothing is asked of a network. */
export async function reachServer(
  context: CommandContext,
  host: ConnectableHost,
  given: Remote,
): Promise<ReachedServer> {
  const { url, attempt } = context.flags.has('print') ? likelyAddress(given) : await tryServer(context, given);
  const facts = { host, scope: scopeOf(context), url, context };
  return {
    server: { ...given, url },
    isCorrected: url !== given.url,
    attempt,
    fix: attempt === undefined || attempt.ok ? undefined : fixFor(attempt.failure, facts),
  };
}

const likelyAddress = ({ url }: Remote) => ({ url: likelyAddresses(url)[0] ?? url, attempt: undefined });

function tryServer({ version, errors }: CommandContext, { url, token }: Remote): Promise<FoundAddress> {
  const headers: Readonly<Record<string, string>> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const work = () => findAddress({ url, headers, unset: undefined }, { version, limitMs: LIMIT_MS });
  return withProgress(errors, `Trying ${new URL(url).host}…`, work);
}
