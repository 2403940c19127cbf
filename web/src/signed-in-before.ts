// Whether somebody may be signed in, without asking the server: a refused question is an error in the browser's console.

const KEY = 'repertoire-signed-in';

/** The cookie itself cannot be read. It ends within seven days; the mark stays until somebody signs out or is refused. */
export function maySomebodyBeSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    // Without storage nobody knows.
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
