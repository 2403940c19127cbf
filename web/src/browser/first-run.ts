// Whether the reader has put off connecting a first agent. The choice stays in this browser.
import { useState } from 'preact/hooks';

const KEY = 'repertoire-first-run-skipped';

export function useSkipped(): readonly [boolean, () => void] {
  const [isSkipped, setSkipped] = useState(readChoice);
  const skip = () => {
    keepChoice();
    setSkipped(true);
  };
  return [isSkipped, skip];
}

/** A browser may refuse storage; then it is asked anew after a reload. */
function readChoice(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function keepChoice(): void {
  try {
    localStorage.setItem(KEY, '1');
  } catch {
    // Then it holds until the reload.
  }
}
