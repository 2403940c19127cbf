// Who read a document, as the log calls them (D9): the authenticated caller, else what the client says it is.
import { recordedName } from '../../../identity/caller.ts';
import { withoutCredentials } from '../../../text/credentials.ts';
import { toOneLine } from '../../../text/one-line.ts';
import type { RequestContext } from '../wire/method.ts';

const MOST_NAME = 128;
/** More than this is not looked at: a name may have any length. */
const MOST_READ = 1_024;

/** The operator proves to be one person with many clients: which of them it was says more. */
export const readerName = ({ caller, client }: Pick<RequestContext, 'caller' | 'client'>): string =>
  caller === undefined || caller.kind === 'operator' ? cleanName(client.name) : recordedName(caller);

/** Some put their token where the name belongs. */
const cleanName = (name: string): string =>
  toOneLine(withoutCredentials(name.slice(0, MOST_READ)), MOST_NAME) || 'unknown';
