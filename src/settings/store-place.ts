// Where the store is kept: the log, and what else must outlive the process (agents, users, tasks).

export type StorePlace =
  | { readonly kind: 'sqlite' /** Absolute; made when it is not there. */; readonly dataDirectory: string }
  | { readonly kind: 'postgres'; readonly url: string };

export type StoreKind = StorePlace['kind'];

export const isPostgresAddress = (url: string): boolean => /^postgres(?:ql)?:\/\//i.test(url);
