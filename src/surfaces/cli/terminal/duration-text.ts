// A duration for people: three digits say enough. Pure.

export function durationText(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(Math.round(ms) / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}
