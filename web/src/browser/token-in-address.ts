// The link that `repertoire serve` prints carries the token behind `#`, which browsers do not send; here it leaves the address.

export function takeTokenFromAddress(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null || token === '') return undefined;
  // Not a new entry: the token is not to be found by going back either.
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}
