// The message of what was thrown, for a log or a sentence. Never throws. Pure.

/**
 * @example
 * log(`Cannot refresh the skills: ${messageOf(error)}`);
 */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  const isText = typeof error !== 'object' && typeof error !== 'function';
  return isText ? String(error) : 'unknown error';
}
