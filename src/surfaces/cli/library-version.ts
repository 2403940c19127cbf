// NAME@DIGEST as people type it: the digest may be cut, as long as it means one version.
import type { Version } from '../../library/library.ts';

interface VersionName {
  readonly name: string;
  readonly digest: string | undefined;
}

export function parseVersionName(given: string): VersionName {
  const at = given.indexOf('@');
  return at < 0 ? { name: given, digest: undefined } : { name: given.slice(0, at), digest: given.slice(at + 1) };
}

/** Fewer digits may mean another version tomorrow. */
const FEWEST_DIGITS = 7;

/** `undefined`: none has it, or several. */
export function findNamedVersion(versions: readonly Version[], given: string): Version | undefined {
  const hex = given.toLowerCase().replace(/^sha256:/, '');
  if (hex.length < FEWEST_DIGITS) return undefined;
  const found = versions.filter(({ digest }) => digest.slice('sha256:'.length).startsWith(hex));
  return found.length === 1 ? found[0] : undefined;
}
