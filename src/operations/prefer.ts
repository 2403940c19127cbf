// The header Prefer (RFC 7240), as far as it is about not waiting for an answer (J2). What is not known or not right is ignored.

export interface Preferred {
  /** So long the asker waits; absent: until it has ended. */
  readonly waitMs: number | undefined;
  /** A time was said. */
  readonly isGiven: boolean;
}

/** As long as proxies usually keep a silent connection. */
const MOST_SECONDS = 60;

export function parsePrefer(header: string | undefined): Preferred {
  const preferences = new Map<string, string>();
  for (const each of (header ?? '').split(',')) {
    const [, name, value = ''] = PREFERENCE.exec(each) ?? [];
    // The first of a name counts.
    if (name !== undefined && !preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  if (!preferences.has('respond-async')) return { waitMs: undefined, isGiven: false };
  const wait = preferences.get('wait')?.replace(/^"(.*)"$/, '$1') ?? '';
  const isGiven = /^\d+$/.test(wait);
  return { waitMs: isGiven ? Math.min(Number(wait), MOST_SECONDS) * 1_000 : 0, isGiven };
}

/** A name, perhaps a value, perhaps parameters that are not looked at. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*([^;]*?)\s*)?(?:;.*)?$/;
