// The parameters of a request, from a query or a form: each at most once (RFC 6749, 3.1). Pure.
import { OAuthError } from './oauth-error.ts';

export type Parameters = ReadonlyMap<string, string>;

const MOST_FIELDS = 64;

/** Throws an OAuthError where one comes twice with different values. An empty one counts as absent. */
export function readParameters(text: string): Parameters {
  const found = new Map<string, string>();
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > MOST_FIELDS) throw new OAuthError('invalid_request', 'there are too many parameters');
  for (const [name, value] of pairs) {
    // RFC 8707 allows several resources; a token here is for one.
    if (name === 'resource' && found.has(name) && found.get(name) !== value)
      throw new OAuthError('invalid_target', 'a token is for one resource alone');
    if (found.has(name) && name !== 'resource')
      throw new OAuthError('invalid_request', `${safeName(name)} comes twice`);
    if (value !== '') found.set(name, value);
  }
  return found;
}

const safeName = (name: string): string => (/^\w{1,40}$/.test(name) ? name : 'a parameter');

export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`);
  return value;
}
