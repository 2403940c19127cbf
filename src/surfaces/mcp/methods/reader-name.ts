// Who read a document, as the log calls them (D9): the authenticated caller, else what the client says it is.
import { toOneLine } from '../../../text/one-line.ts';
import type { RequestContext } from '../wire/method.ts';

const MOST_NAME = 128;
/** More than this is not looked at: a name may have any length. */
const MOST_READ = 1_024;

/** The operator proves to be one person with many clients: which of them it was says more. */
export const readerName = ({ caller, client }: Pick<RequestContext, 'caller' | 'client'>): string =>
  caller === undefined || caller.kind === 'operator' ? cleanName(client.name) : caller.name;

/** Some put their token where the name belongs. */
const TOKENS =
  /\b(?:bearer|basic)\s+\S+|\b(?:rp[oas]_|eyJ|sk[-_]|rk[-_]|pk[-_]|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza)[\w.~+/=-]{8,}/gi;

const cleanName = (name: string): string =>
  toOneLine(toOneLine(name.slice(0, MOST_READ)).replace(TOKENS, '…'), MOST_NAME) || 'unknown';
