// An expected failure as a value: what can go wrong is returned, what must not is thrown.

export type Result<T, F> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const fail = <F>(failure: F): { readonly ok: false; readonly failure: F } => ({ ok: false, failure });
