// The library that executes TypeScript, loaded only where a configuration file needs it.
import type { Jiti } from 'jiti';

/** Without its cache: that may lie in the temporary folder, where any user could leave code for us to run. */
export async function openJiti(): Promise<Jiti> {
  const { createJiti } = await import('jiti');
  return createJiti(import.meta.filename, { fsCache: false, interopDefault: false });
}
