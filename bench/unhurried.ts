// How long the database may take where it is measured: on a busy machine no call is to be given up.
export const UNHURRIED = { operationLimitMs: 60_000 } as const;
