// How long a test waits before it takes something for hanging. No promise on speed: those are measured in bench/.
export const PATIENCE_MS = 90_000;
