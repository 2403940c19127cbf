// Light or dark: as the system says until the reader chooses. The choice stays in this browser.
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';

const KEY = 'repertoire-theme';

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

export function applyTheme(): void {
  document.documentElement.dataset.theme = currentTheme();
}

function currentTheme(): Theme {
  const chosen = readChoice();
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return darkSystem.matches ? 'dark' : 'light';
}

export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState(currentTheme);
  useEffect(() => {
    const follow = () => {
      applyTheme();
      setTheme(currentTheme());
    };
    darkSystem.addEventListener('change', follow);
    addEventListener(CHANGED, follow);
    return () => {
      darkSystem.removeEventListener('change', follow);
      removeEventListener(CHANGED, follow);
    };
  }, []);
  return [theme, toggle];
}

const CHANGED = 'repertoire:theme';

function toggle(): void {
  writeChoice(currentTheme() === 'dark' ? 'light' : 'dark');
  dispatchEvent(new Event(CHANGED));
}

/** A browser may refuse storage; then the system decides. */
function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function writeChoice(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    document.documentElement.dataset.theme = theme;
  }
}
