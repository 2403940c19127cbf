// How long a test waits before it takes something for hanging. No promise on speed: those are measured in bench/.
export const PATIENCE_MS = 90_000;

/** For `openStore` where its own limit is not what is tested. */
export const PATIENT = { operationLimitMs: PATIENCE_MS } as const;
