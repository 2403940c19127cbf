// An expected failure as a value: what can go wrong is returned, what must not is thrown.

/**
 * An expected failure as a value: look at `ok` before you use `value` or `failure`.
 *
 * @example
 * const found: Result<FolderDocument, string> = repertoire.loadByFolder('nothing-here');
 * console.log(found.ok ? found.value.documentation : found.failure);
 */
export type Result<T, F> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const fail = <F>(failure: F): { readonly ok: false; readonly failure: F } => ({ ok: false, failure });
