// The code that an error of Node or of a database driver carries: "ENOENT", "SQLITE_BUSY", "40001". Pure.

/**
 * @example
 * if (codeOf(error) !== 'ENOENT') throw error;
 */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
