// Whether there may be a session, without asking the server: a refused request shows as an error in the browser's console.

const KEY = 'repertoire-signed-in';

/** Scripts cannot read the cookie itself. It expires within seven days; this mark stays until sign-out or a refusal. */
export function maySomebodyBeSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    // Without storage there is no way to know.
    return true;
  }
}

export function markSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Then it is asked each time.
  }
}
