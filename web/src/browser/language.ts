// A language that `Intl` takes: under a system without one (`LANG=C`) browsers name theirs `en-US@posix`, which is no tag.

export function usableLanguage(given: string): string {
  return [given, given.replace(/@.*$/, '')].find(isTag) ?? 'en';
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    // A RangeError: that is the answer.
    return false;
  }
}

/** For libraries that read the browser's language when they are loaded, as uPlot does. Where it cannot be set they fail. */
export function fixBrowserLanguage(): void {
  const value = usableLanguage(navigator.language);
  if (value !== navigator.language) Reflect.defineProperty(navigator, 'language', { value, configurable: true });
}
