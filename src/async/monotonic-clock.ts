// The clock that never goes back (F12): for durations and deadlines, not for dates.

/** Milliseconds since the process started. `performance.now()` would load eight modules for the same number. */
export const monotonicMs = (): number => process.uptime() * 1000;
